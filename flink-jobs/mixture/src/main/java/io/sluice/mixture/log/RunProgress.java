package io.sluice.mixture.log;

import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.Arrays;
import java.util.BitSet;

/** A snapshot that moves on, grant by grant. */
public final class RunProgress {
  /** Euler's constant, rounded up: the k-th harmonic number is less than ln k + this + 1 / 2k. */
  private static final double EULER = 0.5772156650;

  public long batch;
  long nextSequence;
  public int weightsVersion;
  public long round;
  public long baseRound;
  public Weights decided;
  public boolean pinned;
  public long drainTo;
  public byte[] policyState;
  public MixturePlan plan;
  public long[] ordinals;
  public BitSet masked;

  /** Whether the plan has to keep its bounds: see {@link #checkErrors}. */
  private boolean even;

  /**
   * From a snapshot on.
   *
   * @param planVersion of the run
   */
  public RunProgress(int planVersion, Snapshot from) {
    batch = from.batch();
    nextSequence = from.nextSequence();
    weightsVersion = from.weightsVersion();
    round = from.round();
    baseRound = from.baseRound();
    decided = from.decided();
    pinned = from.pinned();
    drainTo = from.drainTo();
    policyState = from.policyState().clone();
    plan = MixturePlan.resume(planVersion, from.planError());
    even = Arrays.stream(from.planError()).allMatch(error -> error == 0);
    ordinals = from.ordinals().clone();
    masked = (BitSet) from.masked().clone();
  }

  /** What is decided as of the last batch; a copy. */
  public Snapshot snapshot() {
    return new Snapshot(
        batch,
        nextSequence,
        weightsVersion,
        round,
        baseRound,
        decided,
        pinned,
        drainTo,
        policyState.clone(),
        plan.error(),
        ordinals.clone(),
        (BitSet) masked.clone());
  }

  /**
   * Takes a grant, or its first batches.
   *
   * @param last batch that is taken, at least the grant's first
   * @throws IllegalArgumentException if a batch's counts do not follow from the plan
   */
  public void take(Grant grant, long last) {
    masked = maskedBy(grant);
    decide(grant);
    for (batch = grant.after(); batch < Math.min(last, grant.to()); ) {
      batch++;
      int[] counts = grant.replay(batch, plan, ordinals);
      LaneShare.of(counts, nextSequence, ordinals).addTo(ordinals);
      nextSequence += grant.sizeOf(batch);
    }
    checkErrors(grant);
  }

  /**
   * Checks what the plan owes. A plan that began without debts keeps its proved bounds while every
   * domain may get every seat; any other's sums must fit a long.
   */
  private void checkErrors(Grant grant) {
    long[] errors = plan.error();
    int k = errors.length;
    for (int i = 0; i < k; i++) {
      even = even && grant.effective().part(i) > 0;
    }
    even = even && grant.bounds().length == 0;
    double harmonic = Math.log(k) + EULER + 0.5 / k;
    long most = even ? (long) ((harmonic - 1) * Weights.UNIT) : MixturePlan.MAX_ERROR;
    long least = even ? 1 - Weights.UNIT : -MixturePlan.MAX_ERROR;
    for (int i = 0; i < errors.length; i++) {
      if (errors[i] < least || errors[i] > most) {
        throw new InvariantViolatedException(
            "what the plan owes domain " + i + " after batch " + batch,
            "in [" + least + ", " + most + "]",
            errors[i]);
      }
    }
  }

  /** The decided weights that a grant is made of. */
  Weights decidedBy(Grant grant) {
    return grant
        .decision()
        .filter(made -> !made.kept())
        .map(RoundDecision::weights)
        .orElse(decided);
  }

  /** The domains that get no seat from a grant on. */
  BitSet maskedBy(Grant grant) {
    BitSet after = (BitSet) masked.clone();
    Weights weights = decidedBy(grant);
    for (int i = 0; i < weights.size(); i++) {
      if (weights.part(i) > 0 && grant.effective().part(i) == 0) {
        after.set(i);
      }
    }
    return after;
  }

  /** Takes what a grant decides, but none of its batches. */
  public void decide(Grant grant) {
    if (grant.decision().isPresent()) {
      RoundDecision decision = grant.decision().get();
      round = decision.round();
      if (!decision.kept()) {
        decided = decision.weights();
        policyState = decision.policyState().clone();
      }
    }
    weightsVersion = grant.weightsVersion();
  }
}
