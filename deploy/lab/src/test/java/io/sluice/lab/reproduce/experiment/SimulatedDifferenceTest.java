package io.sluice.lab.reproduce.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.TestedModel;
import io.sluice.lab.reproduce.arm.Texts;
import io.sluice.lab.reproduce.arm.Trial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SimulatedDifferenceTest {
  private static final Scale SCALE = new Scale(1, 8, 1, 8, 4, 100, 10, 8, 8, 1e-3);

  @Test
  void isFittedToTheOtherArmsAlone() {
    Map<String, Double> measures = added(.5, "half");
    double real = measures.get("loss_difference/real");
    assertThat(real).isCloseTo(mean(.5) - mean(.2), within(1e-9));
    assertThat(measures.get("loss_difference/simulated")).isCloseTo(real, within(.01));

    // What the arm itself came to changes what is real, and nothing that is simulated.
    Map<String, Double> other = added(.7, "half");
    assertThat(other.get("loss_difference/simulated"))
        .isEqualTo(measures.get("loss_difference/simulated"));
    assertThat(other.get("loss_difference/real")).isNotEqualTo(real);
  }

  @Test
  void theArmThatOthersAreComparedWithHasNone() {
    assertThat(added(.5, "fifth")).isEmpty();
  }

  /** What is added to an arm's measures where that of half and half came to what another would. */
  private static Map<String, Double> added(double truly, String judged) {
    List<Arm> arms = new ArrayList<>();
    Map<String, ArmOutcome> outcomes = new HashMap<>();
    Map<String, Double> shares = Map.of("fifth", .2, "third", .35, "half", .5, "most", .8);
    shares.forEach(
        (name, share) -> {
          arms.add(Arm.of(name, SCALE.steps(), Mixture.fixed(weights(share))));
          outcomes.put(name, outcome(name.equals("half") ? truly : share, share));
        });
    Texts none = new Texts(Map.of(), 0, 0);
    Trial trial = new Trial("", 1, none, none, arms);
    Arm arm = arms.stream().filter(each -> each.name().equals(judged)).findFirst().orElseThrow();
    Map<String, Double> measures = new TreeMap<>();
    new SimulatedDifference(
            new Judged(SCALE, trial, arm, outcomes.get(judged), Outcomes.of(outcomes)), "fifth")
        .addTo(measures);
    return measures;
  }

  private static ArmOutcome outcome(double truly, double share) {
    TreeMap<Long, Map<String, Double>> losses = new TreeMap<>();
    for (long step = 0; step <= SCALE.steps(); step += SCALE.every()) {
      double part = step / (double) SCALE.steps();
      losses.put(step, Map.of("a", loss(truly, part), "b", loss(1 - truly, part)));
    }
    return new ArmOutcome(
        SCALE.steps(),
        losses,
        new TreeMap<>(Map.of(1L, weights(share))),
        new TestedModel(Map.of(), Map.of()),
        Map.of(),
        "",
        true);
  }

  private static Map<String, Double> weights(double share) {
    return Map.of("a", share, "b", 1 - share);
  }

  private static double loss(double share, double part) {
    return 1 + .8 * Math.pow(.1 + share * part, -.3);
  }

  private static double mean(double share) {
    return (loss(share, 1) + loss(1 - share, 1)) / 2;
  }
}
