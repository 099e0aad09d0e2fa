package io.sluice.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.chaos.fault.FaultReport;
import io.sluice.lab.chaos.trainer.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChaosReportTest {
  private static final Verdict WHOLE =
      new Verdict("moving.1", "velocitune", 20, 160, 3, 7, 0, 0, 0, 0, List.of());

  private static FaultReport fault(int number, long flowing) {
    return new FaultReport(number, "kill-broker", "broker", 5, flowing, Map.of("moving", flowing));
  }

  @Test
  void showsEachKindsTimesAndEachRunsVerdict() {
    ChaosReport report =
        new ChaosReport(
            1, List.of(fault(1, 4_000), fault(2, 6_000), fault(3, 5_000)), List.of(WHOLE));
    assertThat(report.holds()).isTrue();
    assertThat(report.lines())
        .containsExactly(
            "| fault       | count | held, s | flowing, s | at most, s | moving waits, s |",
            "|-------------|------:|--------:|-----------:|-----------:|----------------:|",
            "| kill-broker |     3 |     0.0 |        5.0 |        6.0 |             5.0 |",
            "",
            "| run      |     policy | batches | replayed | duplicates | lost | repeated | differing |"
                + " wrong version |  audit |",
            "|----------|-----------:|--------:|---------:|-----------:|-----:|---------:|----------:|"
                + "--------------:|-------:|",
            "| moving.1 | velocitune |      20 |        3 |          7 |    0 |        0 |         0 |"
                + "             0 | passed |");
  }

  @Test
  void doesNotHoldIfARunLostABatchOrItsAuditFailed() {
    Verdict lost = new Verdict("r", "static", 20, 160, 0, 0, 1, 0, 0, 0, List.of());
    Verdict refuted = new Verdict("r", "static", 20, 160, 0, 0, 0, 0, 0, 0, List.of("I4: a hole"));
    assertThat(new ChaosReport(1, List.of(), List.of(WHOLE, lost)).holds()).isFalse();
    assertThat(new ChaosReport(1, List.of(), List.of(WHOLE, refuted)).holds()).isFalse();
  }
}
