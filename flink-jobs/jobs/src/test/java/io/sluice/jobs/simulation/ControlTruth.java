package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.jobs.control.ControlWire;
import io.sluice.jobs.control.RunSpecs;
import io.sluice.mixture.control.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Policy;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RoundDecision;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What a run's control log means, told from the log alone, and whether it may mean that. */
final class ControlTruth {
  private final RunModel run;
  private final RunSettings settings;
  private final Policy policy;
  private final List<ControlLog.Logged> accepted = new ArrayList<>();
  private final List<Batch> batches = new ArrayList<>();
  private final long[] error;
  private final long[] used;
  private final BitSet masked = new BitSet();
  private final double bound;
  private Weights decided;
  private byte[] policyState;
  private long round;
  private int version = 1;
  private String phase = "";

  /** A granted batch. */
  record Batch(long number, long firstIndex, int size, int version, int[] counts) {}

  ControlTruth(RunModel run) {
    this.run = run;
    this.settings = RunSpecs.settings(run.spec());
    this.policy = settings.policy();
    this.decided = settings.initialWeights();
    this.policyState = policy.initialState(decided.shares());
    this.error = new long[settings.domains().size()];
    this.used = new long[error.length];
    double harmonic = 0;
    for (int i = 1; i <= error.length; i++) {
      harmonic += 1.0 / i;
    }
    this.bound = harmonic - 1;
  }

  /** The log got another record of the run. */
  void append(ControlLog.Logged logged) {
    ControlRecord record = logged.record();
    long serial = accepted.size() - 1L;
    long offset = accepted.isEmpty() ? -1 : accepted.get(accepted.size() - 1).offset();
    if (record.getSerial() != serial + 1 || record.getBasedOn() != offset) {
      run.witness().saw("control record ignored");
      return;
    }
    boolean starts = record.getBody() instanceof RunStarted;
    unless(starts == (serial < 0), "entry %d of %s starts it", serial + 1, run.id());
    accepted.add(logged);
    if (record.getBody() instanceof MixtureGrant grant) {
      unless(phase.equals("running"), "%s grants while it is %s", run.id(), phase);
      grant(grant);
    } else if (record.getBody() instanceof RunStateChanged change) {
      change(change, record.getWhy());
    } else {
      RunStarted started = (RunStarted) record.getBody();
      unless(started.getSpec().equals(run.spec()), "%s starts with another spec", run.id());
      phase = "running";
    }
  }

  private void change(RunStateChanged change, String why) {
    boolean ended = !phase.equals("running") && !phase.equals("paused");
    unless(
        !ended || change.getState().equals("deleted"), "%s is %s after its end", run.id(), change);
    unless(!change.getState().equals("failed"), "%s failed: %s", run.id(), why);
    phase = change.getState();
    run.witness().saw("run " + phase);
  }

  private void grant(MixtureGrant grant) {
    unless(grant.getAfter() == granted(), "%s: a grant after %d", run.id(), grant.getAfter());
    long reached = run.progress(granted());
    long lead = settings.lead();
    unless(
        lead == 0 || grant.getTo() <= reached + lead,
        "%s: batch %d is granted, trainers are at %d, lead is %d",
        run.id(),
        grant.getTo(),
        reached,
        lead);
    if (grant.getDecision() != null) {
      decide(grant.getDecision());
    }
    unless(grant.getTo() <= settings.lastBatchOf(round), "%s: beyond round %d", run.id(), round);
    unless(grant.getWeightsVersion() == version, "%s: version %s", run.id(), grant);
    Weights effective = ControlWire.weights(grant.getEffectiveWeights());
    mask(effective);
    unless(
        effective.equals(decided.without(masked)),
        "%s: effective weights %s are not the decided %s without %s",
        run.id(),
        effective,
        decided,
        masked);
    for (int row = 0; row < grant.getTo() - grant.getAfter(); row++) {
      plan(grant, row, effective);
    }
  }

  private void mask(Weights effective) {
    for (int i = 0; i < error.length; i++) {
      if (decided.part(i) > 0 && effective.part(i) == 0) {
        unless(run.corpus().ended(i), "%s: domain %d is masked and has not ended", run.id(), i);
        run.witness().saw("domain masked");
        masked.set(i);
      }
    }
  }

  /** I6: the weights follow from the log and the reports that won, and from nothing else. */
  private void decide(RoundDecision decision) {
    long step = (round + 1) * settings.updateEvery();
    unless(
        decision.getRound() == round + 1 && decision.getStep() == step,
        "%s: round %s follows round %d",
        run.id(),
        decision,
        round);
    round++;
    if (decision.getKept()) {
      unless(settings.keepWeightsOnTimeout(), "%s: round %d is kept", run.id(), round);
      run.witness().saw("round kept");
      return;
    }
    version++;
    run.witness().saw("round decided");
    double[] shares = {};
    List<Long> needed =
        round == 1 && policy.startsFromStepZero() ? List.of(0L, step) : List.of(step);
    for (long one : needed) {
      unless(run.feedback().winner(one).isPresent(), "%s: step %d is unheard", run.id(), one);
      Policy.Decision next = policy.decide(policyState, run.feedback().observation(one));
      policyState = next.state();
      shares = next.shares();
    }
    decided = settings.guards().apply(settings.domains(), decided, shares, step);
    unless(
        decided.equals(ControlWire.weights(decision.getWeights())),
        "%s: round %d must give %s: %s",
        run.id(),
        round,
        decided,
        decision);
    unless(
        ByteBuffer.wrap(policyState).equals(decision.getPolicyState()),
        "%s: round %d: the policy state differs: %s",
        run.id(),
        round,
        decision);
    unless(
        decision.getAttempt().equals(run.feedback().winner(step).get()),
        "%s: round %d: %s won, not %s",
        run.id(),
        round,
        run.feedback().winner(step),
        decision.getAttempt());
  }

  /** I2: the counts keep the plan's bounds, the batch sizes, and what there is. */
  private void plan(MixtureGrant grant, int row, Weights effective) {
    long number = grant.getAfter() + row + 1;
    int size = grant.getBatchSizes().get(row);
    unless(size == settings.batchSize(number), "%s: batch %d has %d", run.id(), number, size);
    Batch last = batches.isEmpty() ? null : batches.get(batches.size() - 1);
    long first = last == null ? 0 : last.firstIndex() + last.size();
    unless(row > 0 || grant.getFirstSequence() == first, "%s: %s starts wrong", run.id(), grant);
    int[] counts = new int[error.length];
    int total = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = grant.getCounts().get(row * counts.length + i);
      total += counts[i];
      used[i] += counts[i];
      error[i] += effective.part(i) * size - counts[i] * Weights.UNIT;
      double owed = error[i] / (double) Weights.UNIT;
      unless(
          effective.part(i) > 0 || counts[i] == 0,
          "%s: domain %d has a seat in batch %d",
          run.id(),
          i,
          number);
      unless(owed > -1 && owed <= bound, "%s: domain %d is owed %s", run.id(), i, owed);
      unless(
          used[i] <= run.corpus().usable(i), "%s: domain %d: %d are granted", run.id(), i, used[i]);
    }
    unless(total == size, "%s: batch %d: counts are %d of %d", run.id(), number, total, size);
    batches.add(new Batch(number, first, size, version, counts));
  }

  long granted() {
    return batches.size();
  }

  /** A granted batch, from 1. */
  Batch batch(long number) {
    return batches.get((int) number - 1);
  }

  /** Records that apply, in order. */
  List<ControlLog.Logged> accepted() {
    return accepted;
  }

  /** Last closed round. */
  long round() {
    return round;
  }

  String phase() {
    return phase;
  }

  boolean ended() {
    return !phase.isEmpty() && !phase.equals("running") && !phase.equals("paused");
  }
}
