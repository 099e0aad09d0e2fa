package io.sluice.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.lab.chaos.fault.FaultReport;
import io.sluice.lab.chaos.trainer.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChaosReportTest {
  private static final Verdict WHOLE =
      new Verdict(
          "moving.1", "velocitune", "tokens", 20, 160, 3, 7, 20, 0, 0, 0, 0, 0, 0, List.of());

  private static final Verdict DERIVED =
      new Verdict("rows.1", "static", "derived", 30, 240, 1, 0, 30, 18, 4, 0, 0, 0, 0, List.of());

  private static final Checks.Outcome FINE =
      new Checks.Outcome(true, false, List.of("checked 2 runs: 0 findings"));

  private static FaultReport fault(int number, long flowing) {
    return new FaultReport(number, "kill-broker", "broker", 5, flowing, Map.of("moving", flowing));
  }

  private static final List<FaultReport> FAULTS =
      List.of(fault(1, 4_000), fault(2, 6_000), fault(3, 5_000));

  @Test
  void showsEachKindsTimesAndEachRunsVerdict() {
    ChaosReport report =
        new ChaosReport(1, 0, FAULTS, Goal.of(FAULTS, 3, "moving"), List.of(WHOLE, DERIVED), FINE);
    assertThat(report.holds()).isTrue();
    assertThat(report.lines())
        .containsExactly(
            "| fault       | count | held, s | flowing, s | at most, s | moving waits, s |",
            "|-------------|------:|--------:|-----------:|-----------:|----------------:|",
            "| kill-broker |     3 |     0.0 |        5.0 |        6.0 |             5.0 |",
            "",
            "| run      |     policy | delivery | batches | replayed | duplicates | as logged |"
                + " as the other's | lost | repeated | differing | wrong version |  audit |",
            "|----------|-----------:|---------:|--------:|---------:|-----------:|----------:|"
                + "---------------:|-----:|---------:|----------:|--------------:|-------:|",
            "| moving.1 | velocitune |   tokens |      20 |        3 |          7 |        20 |"
                + "              0 |    0 |        0 |         0 |             0 | passed |",
            "| rows.1   |     static |  derived |      30 |        1 |          0 |        30 |"
                + "             18 |    0 |        0 |         0 |             0 | passed |",
            "",
            "30 batches without a stream have the rows that the log and the blocks give, 18 of them"
                + " were read from a stream, too; files were refused 4 times",
            "",
            "recovery of a broker: 5.0 s (median)",
            "goal: recovery of a broker of three: 5.0 s (goal 3.0 s, MISSED)",
            "goal: longest wait of moving: 6.0 s (goal 0.2 s, MISSED)",
            "checker: checked 2 runs: 0 findings");
  }

  @Test
  void theJsonHasTheRecoveryOfEachKindOfProcess() {
    ChaosReport report =
        new ChaosReport(1, 0, List.of(fault(1, 4_000)), List.of(), List.of(WHOLE), FINE);
    assertThat(new ObjectMapper().valueToTree(report).get("recoveryMillis").toString())
        .isEqualTo("{\"a broker\":4000}");
  }

  @Test
  void doesNotHoldIfARunLostABatchOrItsAuditFailed() {
    Verdict lost =
        new Verdict("r", "static", "tokens", 20, 160, 0, 0, 20, 0, 0, 1, 0, 0, 0, List.of());
    Verdict refuted =
        new Verdict(
            "r", "static", "tokens", 20, 160, 0, 0, 20, 0, 0, 0, 0, 0, 0, List.of("I4: a hole"));
    assertThat(new ChaosReport(1, 0, List.of(), List.of(), List.of(WHOLE, lost), FINE).holds())
        .isFalse();
    assertThat(new ChaosReport(1, 0, List.of(), List.of(), List.of(WHOLE, refuted), FINE).holds())
        .isFalse();
  }

  @Test
  void doesNotHoldIfTheCheckerFoundARuleBroken() {
    Checks.Outcome broken = new Checks.Outcome(true, true, List.of("order: moving.1, …"));
    assertThat(new ChaosReport(1, 0, List.of(), List.of(), List.of(WHOLE), broken).holds())
        .isFalse();
  }

  @Test
  void saysThatThereIsNoChecker() {
    ChaosReport report =
        new ChaosReport(1, 0, List.of(), List.of(), List.of(WHOLE), Checks.Outcome.leftOut());
    assertThat(report.holds()).isTrue();
    assertThat(report.lines())
        .contains("checker: left out: it needs a Python with confluent-kafka and fastavro");
  }
}
