package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Observation;
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
  ExpectedProgress decide(ExpectedProgress before, Lineage lineage, RoundDecision decision) {
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
      boolean may = settings.keepWeightsOnTimeout() || before.batch() < before.drainTo();
      unless(may, "%s: round %d is kept", run.id(), round);
      run.witness().saw("round kept");
      return before.kept();
    }
    run.witness().saw("round decided");
    return decided(before, lineage, decision);
  }

  private ExpectedProgress decided(
      ExpectedProgress before, Lineage lineage, RoundDecision decision) {
    Policy policy = RunPolicy.make(before.settings());
    long step = decision.getStep();
    String winner =
        run.feedback()
            .winner(lineage.owner(step), step, policy.metrics())
            .orElseThrow(() -> new Violation(run.id() + ": step " + step + " is unheard"));
    unless(
        decision.getAttempt().equals(winner),
        "%s: round %d: %s won, not %s",
        run.id(),
        decision.getRound(),
        winner,
        decision.getAttempt());
    byte[] state = before.policyState();
    long base = before.baseRound() * before.settings().updateEvery();
    if (before.round() == before.baseRound() && policy.startsFromStepZero()) {
      state = observed(before, lineage, base, policy.metricsOfStepZero(), state).state();
    }
    Policy.Decision last = observed(before, lineage, step, policy.metrics(), state);
    ExpectedProgress next = before.decided(weights(before, last, step), last.state());
    unless(
        next.decided().equals(ControlWire.weights(decision.getWeights()))
            && ByteBuffer.wrap(next.policyState()).equals(decision.getPolicyState()),
        "%s: round %d must give %s: %s",
        run.id(),
        decision.getRound(),
        next,
        decision);
    return next;
  }

  private static Weights weights(ExpectedProgress before, Policy.Decision decided, long step) {
    RunSettings settings = before.settings();
    return before.pinned()
        ? before.decided()
        : settings.guards().apply(settings.domains(), before.decided(), decided.shares(), step);
  }

  private Policy.Decision observed(
      ExpectedProgress before, Lineage lineage, long step, List<String> wanted, byte[] state) {
    int owner = lineage.owner(step);
    boolean heard = run.feedback().winner(owner, step, wanted).isPresent();
    unless(heard, "%s: step %d is unheard", run.id(), step);
    Observation observed =
        run.feedback().observation(owner, step, wanted, before.settings().domains());
    return RunPolicy.make(before.settings()).decide(state, observed);
  }
}
