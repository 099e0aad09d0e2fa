package io.sluice.mixture.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.Vectors;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Weights, plan and orders of docs/protocol.md: streams depend on every number of them. */
final class PlanVectorsTest {
  static List<JsonNode> plan() {
    return Vectors.list(Vectors.read("plan"));
  }

  static List<JsonNode> order() {
    return Vectors.list(Vectors.read("order"));
  }

  static List<JsonNode> epochs() {
    return Vectors.list(Vectors.read("epochs"));
  }

  @Test
  void weights() {
    JsonNode vectors = Vectors.read("weights");
    for (JsonNode vector : Vectors.list(vectors.get("masked"))) {
      BitSet masked = new BitSet();
      Vectors.list(vector.get("masked")).forEach(domain -> masked.set(domain.intValue()));
      assertThat(Weights.of(Vectors.longs(vector.get("weights"))).without(masked).parts())
          .isEqualTo(Vectors.longs(vector.get("effective")));
    }
    for (JsonNode vector : Vectors.list(vectors.get("shares"))) {
      assertThat(Weights.ofShares(Vectors.doubles(vector.get("shares"))).parts())
          .isEqualTo(Vectors.longs(vector.get("weights")));
    }
  }

  @ParameterizedTest
  @MethodSource
  void plan(JsonNode vector) {
    for (int version : Vectors.ints(vector.get("versions"))) {
      plan(vector, MixturePlan.resume(version, Vectors.longs(vector.get("error"))));
    }
  }

  private static void plan(JsonNode vector, MixturePlan plan) {
    for (JsonNode batch : vector.get("batches")) {
      Weights weights = Weights.of(Vectors.longs(batch.get("weights")));
      int seats = batch.get("seats").intValue();
      int[] counts =
          batch.has("most")
              ? plan.next(weights, seats, Vectors.longs(batch.get("most")))
              : plan.next(weights, seats);
      assertThat(counts).isEqualTo(Vectors.ints(batch.get("counts")));
      assertThat(plan.error()).isEqualTo(Vectors.longs(batch.get("error")));
    }
  }

  @ParameterizedTest
  @MethodSource
  void order(JsonNode vector) {
    long seed = vector.get("seed").longValue();
    int timeline = vector.get("timeline").intValue();
    long batch = vector.get("batch").longValue();
    long first = vector.get("firstIndex").longValue();
    LaneShare share =
        LaneShare.of(Vectors.ints(vector.get("counts")), first, Vectors.longs(vector.get("used")));
    assertThat(share.lanes()).isEqualTo(vector.get("lanes").intValue());
    for (int lane = 0; lane < share.lanes(); lane++) {
      assertThat(share.countsOf(lane)).isEqualTo(Vectors.ints(vector.get("laneCounts").get(lane)));
      assertThat(BatchOrder.order(seed, timeline, batch, share, lane))
          .isEqualTo(Vectors.ints(vector.get("laneOrders").get(lane)));
    }
    assertThat(BatchOrder.whole(seed, timeline, batch, share, first))
        .isEqualTo(Vectors.ints(vector.get("order")));
  }

  @ParameterizedTest
  @MethodSource
  void epochs(JsonNode vector) {
    long seed = vector.get("seed").longValue();
    int domain = vector.get("domain").intValue();
    int lane = vector.get("lane").intValue();
    long size = vector.get("size").longValue();
    EpochOrder order =
        vector.path("inPlace").booleanValue()
            ? EpochOrder.inPlace(seed, domain, lane, size)
            : EpochOrder.ended(seed, domain, lane, size);
    long ordinal = vector.get("firstOrdinal").longValue();
    for (long block : Vectors.longs(vector.get("blocks"))) {
      assertThat(order.chunkAt(ordinal).blockAt(ordinal))
          .as("ordinal %d", ordinal)
          .isEqualTo(block);
      ordinal++;
    }
  }
}
