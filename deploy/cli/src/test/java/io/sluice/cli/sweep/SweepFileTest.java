package io.sluice.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.error.BadInputException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepFileTest {
  private static final String RUN =
      "run: {dataset: small, batch: 8 sequences, batches: 40, policy: {dga: {every: 10, eta: 1}}}\n";

  @Test
  void everyCombinationIsAnArmBehindThoseThatHaveNames() {
    Sweep sweep =
        sweep(
            "vary: {policy.dga.eta: [0.5, 5], apply.lag: [0, 2]}\n"
                + "arms: {uniform: {policy: static}}\nseeds: 2");
    assertThat(sweep.arms())
        .extracting(SweepArm::name)
        .containsExactly("uniform", "1", "2", "3", "4");
    assertThat(sweep.arms())
        .extracting(SweepArm::label)
        .containsExactly(
            "policy = static",
            "eta = 0.5, lag = 0",
            "eta = 0.5, lag = 2",
            "eta = 5, lag = 0",
            "eta = 5, lag = 2");
    assertThat(sweep.run("3", 2)).isEqualTo("eta-3-2");
  }

  @Test
  void anArmsRunFileIsThatOfAllWithItsOwnValues() {
    Sweep sweep = sweep("vary: {policy.dga.eta: [5], apply.lag: [2]}");
    var file = sweep.arms().get(0).file(sweep.run(), Map.of("run", SweepFile.text("eta-1-1")));
    assertThat(file.text("run")).isEqualTo("eta-1-1");
    var dga = file.section("policy").section("dga");
    assertThat(dga.number("eta", 0, 10)).isEqualTo(5);
    assertThat(dga.count("every", "", 0, 100)).isEqualTo(10);
    assertThat(file.section("apply").count("lag", "", 0, 100)).isEqualTo(2);
    assertThat(sweep.run().section("policy").section("dga").number("eta", 0, 10)).isEqualTo(1);
  }

  @Test
  void drawsMixturesOfWhatIsNotKeptTogether() {
    Sweep sweep =
        sweep("mixtures: {count: 3, concentration: 0.5, together: {old: {a: 3, b: 1}}}\nseeds: 1");
    assertThat(sweep.arms()).extracting(SweepArm::name).containsExactly("m1", "m2", "m3");
    for (SweepArm arm : sweep.arms()) {
      var weights = arm.changes().get("initial-weights");
      assertThat(weights.path("a").asDouble())
          .isCloseTo(3 * weights.path("b").asDouble(), within(1e-5));
      assertThat(weights.path("c").asDouble()).isBetween(0.0, 1.0);
    }
    assertThat(sweep.arms().get(0).changes()).isNotEqualTo(sweep.arms().get(1).changes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "seeds: 2 | 'vary' must be with arms and mixtures, 1 to 1000 arms: found '0 arms'",
        "vary: {seed: [1, 2]} | 'run' must be without seed, which is each run's own: found 'seed'",
        "vary: {policy.dga.eta: 1} | 'vary.policy.dga.eta' must be a list of at least one value",
        "vary: {dataset.x: [1]} | 'run.dataset' must be a map, as 'dataset.x' is to be changed",
        "arms: {a b: {policy: static}} | 'arms' must be named with 1 to 24 letters",
        "mixtures: {count: 2, together: {o: {z: 1}}} | 'mixtures.together.o' must be of domains of the dataset, [a, b, c], each in one group: found 'z'",
        "vary: {apply.lag: [1]};;trainer: {options: {steps: 3}} | 'trainer.options' must be of",
        "vary: {apply.lag: [1]};;trainer: {options: {lr: 1}, command: [x]} | 'trainer.options' must be absent with 'trainer.command'",
        "vary: {apply.lag: [1]};;loss: {delta: 1} | 'loss' must be of domains of the dataset, [a, b, c]: found 'delta'",
        "vary: {apply.lag: [1]};;loss: {a: 0} | 'loss' must be above 0 for a domain at least: found '{a=0.0}'",
        "vary: {apply.lag: [1]};;warmth: 3 | unknown key 'warmth'; known here: arms, loss, mixtures",
      })
  void refuses(String rest, String message) {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(
            () -> {
              Sweep sweep = sweep(rest.replace(";;", "\n"));
              sweep.arms().forEach(arm -> arm.file(sweep.run(), Map.of()));
            })
        .withMessageContaining(message);
  }

  @Test
  void aTrainerOfOnesOwnIsToldWhatToTrain() {
    Sweep sweep =
        sweep(
            "vary: {apply.lag: [1]}\ntrainer: {command: [train, '--run={run}', '{kafka}', '{seed}']}");
    var training = new ArmTrainer.Training("r", 7, 40, 40, Path.of("c"), Optional.empty());
    assertThat(
            sweep.trainer().program(training, List.of("--kafka", "k:1", "--prefix", "p")).command())
        .containsExactly("train", "--run=r", "k:1", "7");
  }

  private static Sweep sweep(String rest) {
    return SweepFile.parse(
        ConfigFile.parse("sweep.yaml", "sweep: eta\n" + RUN + rest),
        dataset -> List.of("a", "b", "c"));
  }
}
