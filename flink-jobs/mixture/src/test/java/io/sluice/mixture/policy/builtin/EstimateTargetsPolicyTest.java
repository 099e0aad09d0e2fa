package io.sluice.mixture.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class EstimateTargetsPolicyTest {
  private static final List<String> DOMAINS = List.of("falls", "stays");
  private static final Cadence RUN =
      new Cadence(10, 0, new TreeMap<>(Map.of(1L, 4, 101L, 8)), 1000);

  private static double law(long sequences) {
    return 1.5 + 6 * Math.pow((double) sequences, -.4);
  }

  private static Observation measured(long step, double noise) {
    double falls = law(RUN.sequencesIn(step)) + (step / 10 % 2 == 0 ? noise : -noise);
    return Observation.at(step).with(Metrics.EVAL_LOSS, step == 0 ? 9 : falls, 2);
  }

  private static Policy estimate(Map<String, String> settings) {
    return Policies.create("estimate-targets", settings, DOMAINS).inRun(RUN);
  }

  /** Decides on rounds until the policy has finished. */
  private static Policy.Decision finish(Policy policy, double noise) {
    byte[] state = policy.initialState(new double[] {.3, .7});
    Policy.Decision decision = policy.decide(state, measured(0, noise));
    for (long step = 10; !decision.finished() && step <= 1000; step += 10) {
      decision = policy.decide(decision.state(), measured(step, noise));
      assertThat(decision.shares()).containsExactly(.3, .7);
    }
    return decision;
  }

  @Test
  void endsOnceTheTargetsHaveSettledAndSaysThem() {
    Policy.Decision last = finish(estimate(Map.of()), 0);
    double target = law(RUN.sequencesIn(1000));
    assertThat(last.finished()).isTrue();
    assertThat(last.scores()).containsExactly(new double[] {target, 2}, offset(1e-6));
    assertThat(last.note())
        .startsWith("targets have settled, the last round moved them by ")
        .endsWith("nats: falls %.4f, stays 2.0000 (its last loss, no law fits)".formatted(target));
  }

  @Test
  void endsWithItsShareOfTheTokensIfNothingSettles() {
    Policy.Decision last =
        finish(estimate(Map.of("sigma", "1e-9", "cap", "0.3", "at", "500 batches")), .01);
    assertThat(last.finished()).isTrue();
    assertThat(last.note()).startsWith("30 % of the tokens are used, targets are: falls ");
    assertThat(last.scores()[0]).isEqualTo(law(RUN.sequencesIn(500)), offset(.05));
  }

  @Test
  void usesWhatWasMeasuredOfEachDomainAndNothingFromTheWarmUp() {
    Policy policy = estimate(Map.of("warm-up", "30"));
    byte[] state = policy.initialState(new double[] {.3, .7});
    state = policy.decide(state, measured(0, 0)).state();
    Policy.Decision decision = new Policy.Decision(state, new double[0], new double[0]);
    for (long step = 10; step <= 120; step += 10) {
      double wrong = step <= 30 ? 50 : law(RUN.sequencesIn(step));
      double missing = step == 60 ? Double.NaN : wrong;
      decision =
          policy.decide(
              decision.state(), Observation.at(step).with(Metrics.EVAL_LOSS, missing, Double.NaN));
    }
    assertThat(decision.finished()).isFalse();
    assertThat(decision.note()).isEqualTo("targets are not settled yet");
    assertThat(decision.scores()[0]).isEqualTo(law(RUN.sequencesIn(1000)), offset(1e-6));
    assertThat(decision.scores()[1]).isZero();
  }

  @Test
  void worksElsewhereOnWhatItDecides() {
    Policy policy = estimate(Map.of());
    byte[] state = policy.initialState(new double[] {.3, .7});
    for (long step = 0; step <= 60; step += 10) {
      Observation seen = measured(step, 0);
      while (!policy.isReady(state, seen)) {
        LockSupport.parkNanos(100_000);
      }
      Policy.Decision there = policy.decide(state, seen);
      Policy.Decision here = estimate(Map.of()).decide(state, seen);
      assertThat(there.state()).isEqualTo(here.state());
      assertThat(there.note()).isEqualTo(here.note());
      state = there.state();
    }
  }

  @Test
  void needsToKnowTheFullSize() {
    Cadence endless = new Cadence(10, 0, new TreeMap<>(Map.of(1L, 4)), 0);
    Policy policy = Policies.create("estimate-targets", Map.of(), DOMAINS);
    assertThatThrownBy(() -> policy.inRun(endless))
        .hasMessage("policy.estimate-targets.at must be given in a run without an end: it is not");
  }
}
