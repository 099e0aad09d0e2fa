package io.sluice.jobs.simulation;

import io.sluice.jobs.control.RunSpecs;
import io.sluice.mixture.control.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.RunSpec;
import java.util.BitSet;

/**
 * What a run's log has decided as of the end of a batch. The arrays are never changed.
 *
 * @param error what each domain is owed, in sequences · 2^40
 * @param used sequences of each domain so far
 */
record Standing(
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

  static Standing start(RunSpec spec) {
    RunSettings settings = RunSpecs.settings(spec);
    int domains = settings.domains().size();
    return new Standing(
        spec,
        settings,
        0,
        0,
        1,
        0,
        0,
        settings.initialWeights(),
        false,
        0,
        settings.policy().initialState(settings.initialWeights().shares()),
        new long[domains],
        new long[domains],
        new BitSet());
  }

  /** After the next round was closed without a change. */
  Standing kept() {
    return decided(version, decided, policyState);
  }

  /** After the next round was decided. */
  Standing decided(Weights weights, byte[] state) {
    return decided(version + 1, weights, state);
  }

  private Standing decided(int nextVersion, Weights weights, byte[] state) {
    return new Standing(
        spec,
        settings,
        batch,
        nextSequence,
        nextVersion,
        round + 1,
        baseRound,
        weights,
        pinned,
        drainTo,
        state,
        error,
        used,
        masked);
  }

  /** After the next batch was granted. */
  Standing granted(int[] counts, Weights effective) {
    long[] owed = error.clone();
    long[] taken = used.clone();
    BitSet without = (BitSet) masked.clone();
    int size = 0;
    for (int count : counts) {
      size += count;
    }
    for (int i = 0; i < counts.length; i++) {
      owed[i] += effective.part(i) * size - counts[i] * Weights.UNIT;
      taken[i] += counts[i];
      if (decided.part(i) > 0 && effective.part(i) == 0) {
        without.set(i);
      }
    }
    return new Standing(
        spec,
        settings,
        batch + 1,
        nextSequence + size,
        version,
        round,
        baseRound,
        decided,
        pinned,
        drainTo,
        policyState,
        owed,
        taken,
        without);
  }
}
