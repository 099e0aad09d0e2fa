package io.sluice.mixture.round;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.Vectors;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which reports count, and which attempt wins, by the examples of docs/protocol.md. */
final class ReportVectorsTest {
  static List<JsonNode> reports() {
    return Vectors.list(Vectors.read("reports"));
  }

  @ParameterizedTest
  @MethodSource
  void reports(JsonNode vector) {
    StepReports reports = new StepReports();
    for (JsonNode each : vector.get("reports")) {
      Report report =
          new Report(
              0,
              10,
              each.get("attempt").textValue(),
              each.get("worldSize").intValue(),
              each.get("rank").intValue(),
              each.get("metric").textValue(),
              Vectors.doubles(each.get("sums")),
              Vectors.longs(each.get("counts")));
      String reading = reports.offer(report).name().toLowerCase(Locale.ROOT).replace('_', '-');
      assertThat(reading).as(each.toString()).isEqualTo(each.get("reading").textValue());
    }
    vector.get("won").properties().forEach(won -> assertWon(reports, won.getKey(), won.getValue()));
  }

  private static void assertWon(StepReports reports, String metric, JsonNode expected) {
    Optional<StepReports.Winner> winner = reports.winner(10, List.of(metric));
    assertThat(winner.isEmpty()).isEqualTo(expected.isNull());
    winner.ifPresent(
        won -> {
          assertThat(won.attempt()).isEqualTo(expected.get("attempt").textValue());
          assertThat(won.observation().counts(metric))
              .isEqualTo(Vectors.longs(expected.get("counts")));
          double[] means =
              Vectors.list(expected.get("means")).stream()
                  .mapToDouble(mean -> mean.isNull() ? Double.NaN : mean.doubleValue())
                  .toArray();
          assertThat(won.observation().means(metric)).isEqualTo(means);
        });
  }
}
