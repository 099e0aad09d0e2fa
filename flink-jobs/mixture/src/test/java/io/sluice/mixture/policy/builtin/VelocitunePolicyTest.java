package io.sluice.mixture.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VelocitunePolicyTest {
  private static final List<String> DOMAINS = List.of("a", "b");

  @Test
  void takesInitialLossesFromStepZeroAndTargetsAsAFractionOfThem() {
    Policy policy = velocitune(Map.of("target-fraction", "0.5"));
    assertThat(policy.startsFromStepZero()).isTrue();
    Policy.Decision zero = policy.decide(policy.initialState(new double[] {.5, .5}), losses(4, 2));
    assertThat(zero.shares()).containsExactly(.5, .5);
    Policy.Decision one = policy.decide(zero.state(), losses(3, 2));
    assertThat(one.scores()).containsExactly(.5, 1);
    assertThat(one.shares()[1] / one.shares()[0]).isEqualTo(Math.exp(.5), within());
  }

  @Test
  void saysThatWeightsNoLongerMoveOnceEveryDomainHasReachedItsTarget() {
    Policy policy =
        velocitune(Map.of("targets.a", "1", "targets.b", "1", "initial.a", "2", "initial.b", "2"));
    byte[] state = policy.initialState(new double[] {.25, .75});
    Policy.Decision near = policy.decide(state, losses(1, 1.5));
    assertThat(near.note()).isEmpty();
    Policy.Decision there = policy.decide(near.state(), losses(.5, 1));
    assertThat(there.note())
        .isEqualTo("all domains have reached their targets: weights no longer move");
    assertThat(there.shares()).containsExactly(near.shares(), within());
  }

  @Test
  void takesTheFirstMeasurementOfADomainThatStepZeroMissed() {
    Policy policy = velocitune(Map.of("target-fraction", "0.5"));
    Policy.Decision zero =
        policy.decide(policy.initialState(new double[] {.5, .5}), losses(4, Double.NaN));
    Policy.Decision one = policy.decide(zero.state(), losses(3, 6));
    assertThat(one.scores()).containsExactly(.5, 1);
  }

  @Test
  void keepsAWeightThatUnderflowedAndLetsItComeBack() {
    Policy policy =
        velocitune(Map.of("targets.a", "1", "targets.b", "1", "initial.a", "2", "initial.b", "2"));
    byte[] state = policy.initialState(new double[] {.5, .5});
    Policy.Decision decision = policy.decide(state, losses(1, 2));
    for (int round = 0; round < 1000; round++) {
      decision = policy.decide(decision.state(), losses(1, 2));
    }
    assertThat(decision.shares()[0]).isZero();
    for (int round = 0; round < 1001; round++) {
      decision = policy.decide(decision.state(), losses(2, 1));
    }
    assertThat(decision.shares()[0]).isEqualTo(.5, within());
  }

  @Test
  void refusesBadSettings() {
    assertThatThrownBy(() -> velocitune(Map.of()))
        .hasMessage(
            "policy.velocitune.targets.<domain> or target-fraction must be given, one of the two:"
                + " neither given");
    assertThatThrownBy(() -> velocitune(Map.of("targets.a", "1")))
        .hasMessage("policy.velocitune.targets must name every domain of [a, b]: missing b");
    assertThatThrownBy(() -> velocitune(Map.of("target-fraction", "1.5")))
        .hasMessage("policy.velocitune.target-fraction must be in [0.0, 1.0]: 1.5");
    assertThatThrownBy(() -> velocitune(Map.of("target-fraction", "NaN")))
        .hasMessage("policy.velocitune.target-fraction must be in [0.0, 1.0]: NaN");
    assertThatThrownBy(() -> velocitune(Map.of("target-fraction", ".5", "speed", "1")))
        .hasMessageStartingWith("policy.velocitune.speed is not a setting; known are");
    assertThatThrownBy(
            () -> velocitune(new TreeMap<>(Map.of("target-fraction", ".5", "clamp", "1"))))
        .hasMessage("policy.velocitune.clamp must be true or false: '1'");
    assertThatThrownBy(() -> Policies.create("dga2", Map.of(), DOMAINS))
        .hasMessage(
            "policy must be one of "
                + Policies.names()
                + ", or be in a jar of --plugins DIR: 'dga2'");
  }

  private static Observation losses(double... values) {
    return Observation.at(10).with(Metrics.EVAL_LOSS, values);
  }

  private static Policy velocitune(Map<String, String> settings) {
    return Policies.create("velocitune", settings, DOMAINS);
  }

  private static org.assertj.core.data.Offset<Double> within() {
    return org.assertj.core.data.Offset.offset(1e-9);
  }
}
