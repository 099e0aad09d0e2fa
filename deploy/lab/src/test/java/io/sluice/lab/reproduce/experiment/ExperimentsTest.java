package io.sluice.lab.reproduce.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.TestingOutcomes;
import io.sluice.lab.reproduce.arm.TestingPrepared;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.claim.Claim;
import io.sluice.lab.reproduce.claim.Claims;
import io.sluice.lab.reproduce.claim.Comparison;
import io.sluice.lab.reproduce.corpus.TestingLibrary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ExperimentsTest {
  private static final Map<String, List<Trial>> TRIALS = new HashMap<>();

  static List<Experiment> all() {
    return Experiments.named(List.of("all"));
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyArmThatAClaimNamesIsRun(Experiment experiment) {
    Set<String> arms = new HashSet<>();
    for (Trial trial : trials(experiment)) {
      trial.arms().stream().filter(Arm::judged).map(trial::named).forEach(arms::add);
    }
    List<Claim> claims = Claims.ofPapers().of(experiment.name());
    assertThat(claims).isNotEmpty();
    for (Claim claim : claims) {
      assertThat(arms).as(claim.id()).contains(claim.of());
      if (claim.comparison() instanceof Comparison.Against against) {
        assertThat(arms).as(claim.id()).contains(against.arm());
      } else if (claim.comparison() instanceof Comparison.Ratio ratio) {
        assertThat(arms).as(claim.id()).contains(ratio.arm());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void armsOfATrialHaveEqualTokensAndComeBehindWhatTheyNeed(Experiment experiment) {
    Scale scale = experiment.scale();
    for (Trial trial : trials(experiment)) {
      Set<String> before = new HashSet<>();
      for (Arm arm : trial.arms()) {
        assertThat(arm.steps()).as(arm.name()).isEqualTo(scale.steps());
        assertThat(before).as(arm.name()).containsAll(arm.after());
        arm.base().ifPresent(base -> assertThat(before).as(arm.name()).contains(base));
        before.add(arm.name());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyArmIsARunThatTheServiceTakes(Experiment experiment) {
    Scale scale = experiment.scale();
    List<Trial> all = new ArrayList<>(trials(experiment));
    Map<String, ArmOutcome> tuning = new HashMap<>();
    for (Trial trial : tuning(experiment)) {
      all.add(trial);
      Set<String> domains = trial.training().domains().keySet();
      trial.arms().forEach(arm -> tuning.put(arm.name(), TestingOutcomes.of(domains)));
    }
    for (Trial trial : all) {
      for (Arm arm : trial.arms()) {
        if (arm.after().isEmpty()) {
          Outcomes ended = new Outcomes(Map.of(), tuning);
          assertThat(TestingPrepared.spec(trial, scale, arm, ended).getBatches())
              .as(trial.named(arm))
              .isEqualTo(arm.steps());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void whatTunesOthersIsOfASeedOfItsOwnAndIsNotJudged(Experiment experiment) {
    assertThat(tuning(experiment)).hasSize(experiment.name().equals("policies") ? 1 : 0);
    for (Trial trial : tuning(experiment)) {
      assertThat(trial.seed()).isLessThan(1);
      assertThat(trial.arms()).noneMatch(Arm::judged);
      assertThat(trial.arms()).allMatch(arm -> arm.steps() % experiment.scale().every() == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void roundsEndWithTheRun(Experiment experiment) {
    Scale scale = experiment.scale();
    assertThat(scale.steps() % scale.every()).isZero();
    assertThat(experiment.departures()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void longerRunsHaveAsManyRoundsAndAsManyTimesTheTokens(Experiment experiment) {
    Scale scale = experiment.scale();
    Scale longer = scale.longer(3);
    assertThat(longer.tokens()).isEqualTo(3 * scale.tokens());
    assertThat(longer.steps() / longer.every()).isEqualTo(scale.steps() / scale.every());
  }

  @Test
  void namesThoseThereAre() {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Experiments.named(List.of("dga", "grape")))
        .withMessage(
            "EXPERIMENT must be one of [velocitune, dga, dga-dist, syne, syne-synthetic, ordering, policies, all]: 'grape'");
  }

  private static List<Trial> tuning(Experiment experiment) {
    return experiment.tuning(new TestingLibrary(), experiment.scale()).stream().toList();
  }

  private static List<Trial> trials(Experiment experiment) {
    return TRIALS.computeIfAbsent(
        experiment.name(), name -> experiment.trials(1, new TestingLibrary(), experiment.scale()));
  }
}
