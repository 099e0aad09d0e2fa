package io.sluice.cli.run.course;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.history.RunHistory.Version;
import io.sluice.control.runs.NewRun;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.wire.RunSpecs;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CompareReportTest {
  private static final DatasetSpec DATASET =
      DatasetSpecs.resolve(
          new DatasetSettings("data", "bytes", 64, 100, 7, .1, List.of("a", "b"), 1));

  private static RunSpec spec(String run, long seed, long evalTokens) {
    return RunSpecs.complete(
        NewRun.of(run, DATASET, 16)
            .setSeed(seed)
            .setEvalTokens(evalTokens)
            .setStreamPartitions(1)
            .setEpochs(List.of(1, 1))
            .build());
  }

  private static ComparedRun run(RunSpec spec, double more, long counted, long... steps) {
    TreeMap<Long, LossHistory.Round> rounds = new TreeMap<>();
    for (long step : steps) {
      rounds.put(
          step,
          new LossHistory.Round(
              step, new double[] {2 + more, Double.NaN}, new long[] {counted, 0}));
    }
    LossHistory losses =
        new LossHistory(
            List.of("a", "b"), new double[] {.5, .5}, rounds, OptionalDouble.empty(), true);
    List<Version> versions =
        List.of(
            new Version(0, 1, 1, Weights.uniform(2)),
            new Version(0, 2, 11, Weights.ofShares(1, 3)));
    return new ComparedRun(
        spec,
        new RunCourse(spec.getRun(), List.of("a", "b"), versions, 30, losses),
        Map.of("a", 100L, "b", 300L));
  }

  @Test
  void setsLossesAndWeightsSideBySideAtCommonSteps() {
    CompareReport report =
        CompareReport.of(
            new RunComparison(
                run(spec("one", 1, 0), 0, 64, 0, 10, 20), run(spec("two", 1, 0), .5, 64, 0, 20)));
    assertThat(report.json().comparable()).isTrue();
    assertThat(report.json().differences()).isEmpty();
    assertThat(report.lines())
        .contains("They have the same specification.")
        .contains(
            "At step 20, the last that both measured, two's losses are +0.5000 nats per token above"
                + " one's, as a mean over the domains.")
        .anyMatch(line -> line.matches("\\| a +\\|   20 \\| +0.2500 \\| .* \\| +\\+0.5000 \\|"))
        .anyMatch(line -> line.matches("\\| b +\\|    0 \\| +0.5000 .* \\| +- \\|"))
        .noneMatch(line -> line.contains("|   10 |"));
    assertThat(report.json().steps().get(0).domains().get("b").losses())
        .containsExactly(null, null);
  }

  @Test
  void saysWhyLossesAreNotComparable() {
    RunSpec other =
        RunSpec.newBuilder(spec("two", 2, 640)).setFingerprint(99L).setSequenceLength(32).build();
    RunComparison comparison =
        new RunComparison(run(spec("one", 1, 0), 0, 64, 10), run(other, 0, 128, 20));
    assertThat(comparison.doubts())
        .containsExactly(
            "other fingerprints of the dataset: " + DATASET.getFingerprint() + " and 99",
            "other sequence lengths: 64 and 32",
            "other seeds: 1 and 2",
            "other held-out sizes, eval-tokens: 0 and 640",
            "other held-out tokens measured of a: 64 and 128",
            "no step at which both measured held-out losses");
    assertThat(CompareReport.of(comparison).lines())
        .contains("Their losses are not comparable:", "  other seeds: 1 and 2")
        .contains("  seed: 1 -> 2");
    RunSpec elsewhere = RunSpec.newBuilder(spec("two", 1, 0)).setDataset("more").build();
    assertThat(
            new RunComparison(run(spec("one", 1, 0), 0, 64, 10), run(elsewhere, 0, 64, 10))
                .doubts())
        .containsExactly("other datasets: data and more");
  }
}
