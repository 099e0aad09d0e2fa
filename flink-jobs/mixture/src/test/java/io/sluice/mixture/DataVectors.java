package io.sluice.mixture;

import static io.sluice.mixture.Golden.assertClose;
import static io.sluice.mixture.Golden.doubles;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.curriculum.PerplexityCurriculum;
import io.sluice.mixture.plan.LargestRemainder;
import io.sluice.mixture.policy.Policies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The golden vectors about data: weights of a histogram, apportionment and order. */
final class DataVectors {
  private DataVectors() {}

  /** The weights of a histogram; its assignments are those of the module that has clusters. */
  static void importanceSampling(JsonNode file) {
    JsonNode flat = file.get("flat");
    double[] expected = doubles(flat.get("expected_alpha_is"));
    double[] counts = new double[expected.length];
    Golden.list(flat.get("expected_assignment")).forEach(cluster -> counts[cluster.intValue()]++);
    Map<String, String> settings = new TreeMap<>();
    Golden.put(settings, "histogram", counts);
    double[] shares =
        Policies.create("importance-sampling", settings, Golden.domains(counts.length))
            .startingShares(new double[counts.length]);
    double total = Arrays.stream(counts).sum();
    assertClose(Arrays.stream(shares).map(share -> share / total).toArray(), expected, "weights");
  }

  static void apportionment(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      long total = golden.get("n").longValue();
      double[] quotas = Arrays.stream(doubles(golden.get("weights"))).map(w -> w * total).toArray();
      long[] expected =
          Golden.list(golden.get("expected_counts")).stream()
              .mapToLong(JsonNode::longValue)
              .toArray();
      assertThat(LargestRemainder.apportion(quotas, total)).isEqualTo(expected);
    }
  }

  static void curriculum(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      List<PerplexityCurriculum.Scored> documents = new ArrayList<>();
      golden
          .get("items_id_ppl_tokens")
          .forEach(
              item ->
                  documents.add(
                      new PerplexityCurriculum.Scored(
                          item.get(0).longValue(),
                          item.get(1).doubleValue(),
                          item.get(2).longValue())));
      List<PerplexityCurriculum.Placed> expected =
          Golden.list(golden.get("expected_order")).stream()
              .map(
                  placed ->
                      new PerplexityCurriculum.Placed(
                          placed.get("id").longValue(), placed.get("group").intValue()))
              .toList();
      assertThat(PerplexityCurriculum.order(documents, golden.get("n_groups").intValue()))
          .isEqualTo(expected);
    }
  }
}
