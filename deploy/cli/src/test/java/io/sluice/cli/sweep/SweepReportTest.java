package io.sluice.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.config.ConfigFile;
import io.sluice.mixture.law.MixingLaw;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SweepReportTest {
  @Test
  void comparesEachArmWithTheFirstSeedBySeed() {
    Sweep sweep = sweep("vary: {apply.lag: [0, 1]}\nloss: {a: 3, b: 1}");
    List<SweptRun> runs =
        List.of(
            run(sweep, "1", 1, 2, 4),
            run(sweep, "1", 2, 3, 5),
            run(sweep, "2", 1, 2.1, 4),
            run(sweep, "2", 2, 3.2, 5));
    SweepReport report = new SweepReport(sweep, runs, Map.of("eta-2-3", "no broker"));
    assertThat(report.lines())
        .anySatisfy(line -> assertThat(line).contains("lag = 0 |    2 | 3.0000 ± 0.5000 |"))
        .anySatisfy(line -> assertThat(line).contains("+0.1125 ("))
        .contains("failed: eta-2-3: no broker");
    assertThat(report.json().arms().get(0).runs().get(0).loss()).isEqualTo(2.5);
    assertThat(report.figure().panels()).hasSize(3);
  }

  @Test
  void findsTheMixtureThatItsRunsPointTo() {
    Sweep sweep = sweep("mixtures: {count: 12}\nseeds: 1");
    List<SweptRun> runs = new ArrayList<>();
    for (SweepArm arm : sweep.arms()) {
      var drawn = arm.changes().get("initial-weights");
      double a = drawn.path("a").asDouble();
      double b = drawn.path("b").asDouble();
      runs.add(
          new SweptRun(
              sweep.run(arm.name(), 1),
              arm.name(),
              1,
              "",
              Map.of("a", 2 + Math.exp(-3 * a), "b", 2 + Math.exp(-3 * b)),
              Map.of("a", a, "b", b, "c", 1 - a - b)));
    }
    SweepJson json = SweepJson.of(new SweepReport(sweep, runs, Map.of()).json());
    MixtureFit fit = MixtureFit.of(json, MixingLaw.Form.LOG_LINEAR);
    assertThat(fit.weights().get("a")).isCloseTo(.5, within(.05));
    assertThat(fit.weights().get("c")).isLessThan(.05);
    assertThat(fit.laws()).allSatisfy(law -> assertThat(law.miss()).isLessThan(law.spread() / 10));
    assertThat(fit.predicted()).isLessThanOrEqualTo(fit.measured());
    assertThat(fit.lines().get(fit.lines().size() - 1)).startsWith("initial-weights: {");

    runs.replaceAll(
        run ->
            new SweptRun(
                run.run(),
                run.arm(),
                1,
                "",
                Map.of("a", run.losses().get("a"), "b", run.run().hashCode() % 7 + 10.0),
                run.weights()));
    SweepJson noise = SweepJson.of(new SweepReport(sweep, runs, Map.of()).json());
    assertThat(MixtureFit.of(noise, MixingLaw.Form.LOG_LINEAR).lines())
        .last()
        .asString()
        .startsWith("No mixture can be told: the laws of b miss by more than the spread");

    SweepJson few = SweepJson.of(new SweepReport(sweep, runs.subList(0, 4), Map.of()).json());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MixtureFit.of(few, MixingLaw.Form.LOG_LINEAR))
        .withMessageContaining("a sweep over 3 domains must have at least 5 arms");
  }

  private static SweptRun run(Sweep sweep, String arm, int seed, double a, double b) {
    return new SweptRun(
        sweep.run(arm, seed),
        arm,
        seed,
        "",
        new TreeMap<>(Map.of("a", a, "b", b)),
        Map.of("a", .5, "b", .5));
  }

  private static Sweep sweep(String rest) {
    String file = "sweep: eta\nrun: {dataset: d, batches: 9}\n" + rest;
    return SweepFile.parse(ConfigFile.parse("sweep.yaml", file), dataset -> List.of("a", "b", "c"));
  }
}
