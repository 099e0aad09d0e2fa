package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.jobs.control.ControlWire;
import io.sluice.mixture.control.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Policy;
import io.sluice.schema.RoundDecision;
import java.nio.ByteBuffer;
import java.util.List;

/** I6: weights follow from the log and the reports that won, and from nothing else. */
final class RoundTruth {
  private final RunModel run;

  RoundTruth(RunModel run) {
    this.run = run;
  }

  /** What holds after a decision, which must be the one that follows from what was there. */
  Standing decide(Standing before, Lineage lineage, RoundDecision decision) {
    RunSettings settings = before.settings();
    long round = before.round() + 1;
    long step = round * settings.updateEvery();
    unless(
        decision.getRound() == round && decision.getStep() == step,
        "%s: round %s follows round %d",
        run.id(),
        decision,
        before.round());
    if (decision.getKept()) {
      unless(settings.keepWeightsOnTimeout(), "%s: round %d is kept", run.id(), round);
      run.witness().saw("round kept");
      return before.kept();
    }
    run.witness().saw("round decided");
    return decided(before, lineage, decision);
  }

  private Standing decided(Standing before, Lineage lineage, RoundDecision decision) {
    RunSettings settings = before.settings();
    Policy policy = settings.policy();
    long step = decision.getStep();
    long base = before.baseRound() * settings.updateEvery();
    boolean first = before.round() == before.baseRound() && policy.startsFromStepZero();
    byte[] state = before.policyState();
    double[] shares = {};
    String attempt = "";
    for (long one : first ? List.of(base, step) : List.of(step)) {
      List<String> wanted = one == base && first ? policy.metricsOfStepZero() : policy.metrics();
      int owner = lineage.owner(one);
      var winner = run.feedback().winner(owner, one, wanted);
      unless(winner.isPresent(), "%s: step %d is unheard", run.id(), one);
      attempt = winner.get();
      Policy.Decision next =
          policy.decide(state, run.feedback().observation(owner, one, wanted, settings.domains()));
      state = next.state();
      shares = next.shares();
    }
    Weights weights =
        before.pinned()
            ? before.decided()
            : settings.guards().apply(settings.domains(), before.decided(), shares, step);
    unless(
        weights.equals(ControlWire.weights(decision.getWeights())),
        "%s: round %d must give %s: %s",
        run.id(),
        decision.getRound(),
        weights,
        decision);
    unless(
        ByteBuffer.wrap(state).equals(decision.getPolicyState()),
        "%s: round %d: the policy state differs: %s",
        run.id(),
        decision.getRound(),
        decision);
    unless(
        decision.getAttempt().equals(attempt),
        "%s: round %d: %s won, not %s",
        run.id(),
        decision.getRound(),
        attempt,
        decision.getAttempt());
    return before.decided(weights, state);
  }
}
