package io.sluice.mixture.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A policy whose weights rest says so, where they do, and why. */
class StandstillTest {
  private static final List<String> DOMAINS = List.of("a", "b");
  private static final double[] SHARES = {.25, .75};

  private static Policy policy(String name, Map<String, String> settings) {
    return Policies.create(name, settings, DOMAINS);
  }

  private static Policy.Decision decision(Policy policy, String metric, double... values) {
    return decision(policy, policy.initialState(SHARES), metric, values);
  }

  private static Policy.Decision decision(
      Policy policy, byte[] state, String metric, double... values) {
    return policy.decide(state, Observation.at(20).with(metric, values));
  }

  @Test
  void domainsThatHaveReachedTheirReferenceLossesMoveNoWeights() {
    Map<String, String> targets = Map.of("targets.a", "1", "targets.b", "1", "preset", "paper");
    Policy policy = policy("dynamic-batch-loading", targets);
    assertThat(decision(policy, Metrics.EVAL_LOSS, 2, .5).note()).isEmpty();
    Policy.Decision there = decision(policy, Metrics.EVAL_LOSS, 1, .5);
    assertThat(there.note())
        .isEqualTo("all domains have reached their reference losses: weights no longer move");
    assertThat(there.shares()).containsExactly(SHARES, within(1e-12));
    Map<String, String> official = Map.of("targets.a", "1", "targets.b", "1");
    Policy moves = policy("dynamic-batch-loading", official);
    assertThat(decision(moves, Metrics.EVAL_LOSS, 1, .5).note()).isEmpty();
    Policy unknown = policy("dynamic-batch-loading", targets);
    assertThat(decision(unknown, Metrics.EVAL_LOSS, Double.NaN, .5).note()).isEmpty();
  }

  @Test
  void aFloorGoesOnToMoveWeights() {
    Map<String, String> targets =
        Map.of("targets.a", "1", "targets.b", "1", "preset", "paper", "floor", "0.1");
    Policy.Decision there =
        decision(policy("dynamic-batch-loading", targets), Metrics.EVAL_LOSS, 1, .5);
    assertThat(there.note()).endsWith(": weights move by their floor alone, towards equal ones");
    assertThat(there.shares()[0]).isGreaterThan(.25);
    Map<String, String> bandit =
        Map.of("targets.a", "1", "targets.b", "1", "preset", "paper", "update", "bandit");
    assertThat(decision(policy("dynamic-batch-loading", bandit), Metrics.EVAL_LOSS, 1, .5).note())
        .isEmpty();
  }

  @Test
  void lossesThatAreNotAboveTheReferenceModelsMoveNoWeights() {
    Policy policy = policy("doremi", Map.of("floor", "0"));
    assertThat(decision(policy, Metrics.EXCESS_LOSS, 0, .1).note()).isEmpty();
    assertThat(decision(policy, Metrics.EXCESS_LOSS, 0, 0).note())
        .isEqualTo("no domain's loss is above the reference model's: weights no longer move");
    Policy average = policy("doremi", Map.of("floor", "0", "result", "average"));
    assertThat(decision(average, Metrics.EXCESS_LOSS, 0, 0).note()).isEmpty();
  }

  @Test
  void perplexitiesThatStayKeepTheWeightsForARound() {
    Policy policy = policy("topic-perplexity", Map.of("dead-band", "0.1"));
    Policy.Decision first = decision(policy, Metrics.EVAL_LOSS, 2, 3);
    assertThat(first.note()).isEmpty();
    Policy.Decision still = decision(policy, first.state(), Metrics.EVAL_LOSS, 2.01, 3);
    assertThat(still.note())
        .isEqualTo("no perplexity has moved since the round before: weights stay");
    assertThat(decision(policy, still.state(), Metrics.EVAL_LOSS, 2.5, 3).note()).isEmpty();
  }

  @Test
  void aCurriculumThatIsOverSaysSo() {
    Cadence run = new Cadence(10, 0, new TreeMap<>(Map.of(1L, 8)), 0);
    Policy policy = policy("curriculum", Map.of("until", "100 batches")).inRun(run);
    assertThat(policy.decide(new byte[0], Observation.at(90)).note()).isEmpty();
    assertThat(policy.decide(new byte[0], Observation.at(100)).note())
        .isEqualTo("the curriculum is over: weights no longer move");
  }

  @Test
  void theLastOfRecordedWeightsSaysSo() {
    Policy policy = policy("recorded", Map.of("at.0", "a=1 b=1", "at.40", "a=1 b=3"));
    byte[] state = policy.initialState(SHARES);
    assertThat(policy.decide(state, Observation.at(20)).note()).isEmpty();
    assertThat(policy.decide(state, Observation.at(40)).note())
        .isEqualTo("these are the last weights that were recorded: weights no longer move");
  }

  @Test
  void aProposalThatIsNotFollowedSaysWhy() {
    Policy policy = policy("external", Map.of());
    assertThat(decision(policy, Metrics.PROPOSED_WEIGHT, 1, 2).note()).isEmpty();
    assertThat(decision(policy, Metrics.PROPOSED_WEIGHT, 1, -2).note())
        .isEqualTo("the proposal has a weight below 0: it is not followed");
    assertThat(decision(policy, Metrics.PROPOSED_WEIGHT, 0, 0).note())
        .isEqualTo("the proposal's weights sum to 0.0: it is not followed");
  }

  @Test
  void whatAGroupOfATreeRestsForIsToldWithItsName() {
    Policy tree =
        Policies.create(
                "tree",
                Map.of(
                    "stages.1.ratios.text", "1",
                    "groups.text.domains", "a b",
                    "groups.text.policy.velocitune.targets.a", "1",
                    "groups.text.policy.velocitune.targets.b", "1",
                    "groups.text.policy.velocitune.initial.a", "2",
                    "groups.text.policy.velocitune.initial.b", "2"),
                DOMAINS)
            .inRun(new Cadence(20, 0, new TreeMap<>(Map.of(1L, 8)), 0));
    assertThat(decision(tree, Metrics.EVAL_LOSS, 1, 1).note())
        .isEqualTo("text: all domains have reached their targets: weights no longer move");
  }
}
