package io.sluice.jobs.simulation;

import io.sluice.control.wire.RunSpecs;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Policy;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSpec;
import java.util.Arrays;
import java.util.BitSet;

/**
 * What a run's log has decided as of the end of a batch. The arrays are never changed.
 *
 * @param error what each domain is owed, in sequences · 2^40
 * @param used lanes × domains, lane-major: sequences so far
 */
record ExpectedProgress(
    RunSpec spec,
    RunSettings settings,
    long batch,
    long nextSequence,
    int version,
    long round,
    long baseRound,
    Weights decided,
    boolean pinned,
    long drainTo,
    byte[] policyState,
    long[] error,
    long[] used,
    BitSet masked) {

  static ExpectedProgress start(RunSpec spec) {
    RunSettings settings = RunSpecs.settings(spec);
    int domains = settings.domains().size();
    Policy policy = RunPolicy.make(settings);
    double[] shares = policy.startingShares(settings.initialWeights().shares());
    Weights weights = Weights.ofShares(shares);
    return new ExpectedProgress(
        spec,
        settings,
        0,
        0,
        1,
        0,
        0,
        weights,
        false,
        0,
        policy.initialState(weights.shares()),
        new long[domains],
        new long[settings.lanes() * domains],
        new BitSet());
  }

  /** What a fork begins with. */
  static ExpectedProgress of(Scenario scenario, RunOrigin origin) {
    return start(scenario.spec()).saying(Snapshots.read(origin.getSnapshot()));
  }

  /** With all that a snapshot says. */
  ExpectedProgress saying(Snapshot from) {
    return new ExpectedProgress(
        spec,
        settings,
        from.batch(),
        from.nextSequence(),
        from.weightsVersion(),
        from.round(),
        from.baseRound(),
        from.decided(),
        from.pinned(),
        from.drainTo(),
        from.policyState(),
        from.planError(),
        from.ordinals(),
        from.masked());
  }

  /** After the next round was closed without a change. */
  ExpectedProgress kept() {
    return closed(version, decided, policyState);
  }

  /** After the next round was decided. */
  ExpectedProgress decided(Weights weights, byte[] state) {
    return closed(pinned ? version : version + 1, weights, state);
  }

  private ExpectedProgress closed(int nextVersion, Weights weights, byte[] state) {
    return with(nextVersion, round + 1, baseRound, weights, state, error, used, masked);
  }

  /** After the next batch was granted. */
  ExpectedProgress granted(int[] counts, Weights effective) {
    long[] owed = error.clone();
    long[] taken = used.clone();
    BitSet without = (BitSet) masked.clone();
    int size = 0;
    for (int count : counts) {
      size += count;
    }
    for (int i = 0; i < counts.length; i++) {
      owed[i] += effective.part(i) * size - counts[i] * Weights.UNIT;
      if (decided.part(i) > 0 && effective.part(i) == 0) {
        without.set(i);
      }
    }
    LaneShare.of(counts, nextSequence, used).addTo(taken);
    ExpectedProgress next =
        with(version, round, baseRound, decided, policyState, owed, taken, without);
    return next.at(batch + 1, nextSequence + size);
  }

  private ExpectedProgress at(long number, long first) {
    return new ExpectedProgress(
        spec,
        settings,
        number,
        first,
        version,
        round,
        baseRound,
        decided,
        pinned,
        drainTo,
        policyState,
        error,
        used,
        masked);
  }

  /** After a revision by people. */
  ExpectedProgress revised(
      RunSpec nextSpec, Weights weights, boolean nextPinned, long nextDrainTo) {
    return new ExpectedProgress(
        nextSpec,
        RunSpecs.settings(nextSpec),
        batch,
        nextSequence,
        version + 1,
        round,
        baseRound,
        weights,
        nextPinned,
        nextDrainTo,
        policyState,
        error,
        used,
        masked);
  }

  /** With what a later round has decided. */
  ExpectedProgress deciding(ExpectedProgress later) {
    return with(
        later.version,
        later.round,
        later.baseRound,
        later.decided,
        later.policyState,
        error,
        used,
        masked);
  }

  /** With another end of what is granted ahead. */
  ExpectedProgress drained(long to) {
    ExpectedProgress next = revised(spec, decided, pinned, to);
    return next.with(version, round, baseRound, decided, policyState, error, used, masked);
  }

  /** With room for more domains. */
  ExpectedProgress grown(int domains) {
    long[] parts = Arrays.copyOf(decided.parts(), domains);
    return with(
        version,
        round,
        baseRound,
        Weights.of(parts),
        policyState,
        Arrays.copyOf(error, domains),
        LaneShare.resized(used, error.length, domains),
        masked);
  }

  /** Without some domains. */
  ExpectedProgress without(BitSet removed) {
    BitSet more = (BitSet) masked.clone();
    more.or(removed);
    return with(version, round, baseRound, decided, policyState, error, used, more);
  }

  /** With other data behind it. */
  ExpectedProgress using(long[] otherUsed) {
    return with(version, round, baseRound, decided, policyState, error, otherUsed, masked);
  }

  /**
   * With every round closed whose reports are gone; a policy whose first step is gone begins anew.
   */
  ExpectedProgress heard(long to) {
    long every = settings.updateEvery();
    if (every == 0) {
      return this;
    }
    long last = Math.max(round, Math.min(batch, to) / every);
    boolean unstarted = round == baseRound && RunPolicy.make(settings).startsFromStepZero();
    return unstarted && to > round * every
        ? restarted()
        : with(version, last, baseRound, decided, policyState, error, used, masked);
  }

  /** With a policy that begins anew; the round of the last step counts as closed. */
  ExpectedProgress restarted() {
    long every = settings.updateEvery();
    long base = every == 0 ? 0 : batch / every + 1;
    byte[] state = RunPolicy.make(settings).initialState(decided.shares());
    return with(version, base, base, decided, state, error, used, masked);
  }

  private ExpectedProgress with(
      int nextVersion,
      long nextRound,
      long nextBaseRound,
      Weights nextDecided,
      byte[] nextPolicyState,
      long[] nextError,
      long[] nextUsed,
      BitSet nextMasked) {
    return new ExpectedProgress(
        spec,
        settings,
        batch,
        nextSequence,
        nextVersion,
        nextRound,
        nextBaseRound,
        nextDecided,
        pinned,
        drainTo,
        nextPolicyState,
        nextError,
        nextUsed,
        nextMasked);
  }

  @Override
  public String toString() {
    return String.format(
        "batch %d from %d, version %d, round %d of %d, weights %s%s, drain to %d, state %s, error %s,"
            + " used %s, masked %s, %s every %d",
        batch,
        nextSequence,
        version,
        round,
        baseRound,
        decided,
        pinned ? " pinned" : "",
        drainTo,
        Arrays.toString(policyState),
        Arrays.toString(error),
        Arrays.toString(used),
        masked,
        spec.getPolicy(),
        spec.getUpdateEvery());
  }
}
