package io.sluice.mixture.log;

import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.BitSet;

/** A snapshot that moves on, grant by grant. */
public final class RunProgress {
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

  public RunProgress(Snapshot from) {
    batch = from.batch();
    nextSequence = from.nextSequence();
    weightsVersion = from.weightsVersion();
    round = from.round();
    baseRound = from.baseRound();
    decided = from.decided();
    pinned = from.pinned();
    drainTo = from.drainTo();
    policyState = from.policyState().clone();
    plan = MixturePlan.resume(from.planError());
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
    decide(grant);
    for (int i = 0; i < decided.size(); i++) {
      if (decided.part(i) > 0 && grant.effective().part(i) == 0) {
        masked.set(i);
      }
    }
    for (batch = grant.after(); batch < Math.min(last, grant.to()); ) {
      batch++;
      int size = grant.batchSizes()[(int) (batch - grant.after() - 1)];
      int[] counts = grant.countsOf(batch);
      if (grant.bounds().length == 0) {
        plan.replay(grant.effective(), size, counts);
      } else {
        long[] most = LaneShare.available(grant.bounds(), ordinals, counts.length);
        plan.replay(grant.effective(), size, counts, most);
      }
      LaneShare.of(counts, nextSequence, ordinals).addTo(ordinals);
      nextSequence += size;
    }
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
