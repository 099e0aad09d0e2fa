package io.sluice.mixture.log;

import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.BitSet;
import java.util.List;

/**
 * Everything that is decided about a run as of the end of a batch, so that decisions and the stream
 * can go on from there without any entry before. The arrays are not copied.
 *
 * @param batch last batch that stands; 0 before the first
 * @param nextSequence global index of the first sequence of the next batch
 * @param round last closed round; its step is round · updateEvery
 * @param baseRound the round from which the policy counts: 0, or where it was put in
 * @param decided weights before masking
 * @param pinned whether rounds leave the weights as they are
 * @param drainTo batches up to here are granted at the current weights, however far the trainers
 *     are
 * @param planError what the plan owes each domain, in sequences · 2^40
 * @param ordinals lanes × domains, lane-major: next block, counted through all epochs
 * @param masked domains that get no seat again
 */
public record Snapshot(
    long batch,
    long nextSequence,
    int weightsVersion,
    long round,
    long baseRound,
    Weights decided,
    boolean pinned,
    long drainTo,
    byte[] policyState,
    long[] planError,
    long[] ordinals,
    BitSet masked) {
  /** Checks the ranges and that the arrays fit each other. */
  public Snapshot {
    int domains = decided.size();
    atLeast("batch", batch, 0);
    atLeast("nextSequence", nextSequence, 0);
    atLeast("weightsVersion", weightsVersion, 1);
    atLeast("baseRound", baseRound, 0);
    atLeast("round", round, baseRound);
    atLeast("drainTo", drainTo, 0);
    if (planError.length != domains) {
      throw new IllegalArgumentException(
          "planError must have " + domains + " entries: " + planError.length);
    }
    MixturePlan.requireOwed(planError);
    if (ordinals.length == 0 || ordinals.length % domains != 0) {
      throw new IllegalArgumentException(
          "ordinals must have " + domains + " entries for each lane: " + ordinals.length);
    }
    for (long ordinal : ordinals) {
      atLeast("ordinals", ordinal, 0);
    }
    if (masked.length() > domains) {
      throw new IllegalArgumentException(
          "masked must name domains in [0, " + domains + "): " + masked);
    }
  }

  /**
   * Before the first batch of a run.
   *
   * @param decided the weights that it starts with
   * @param policyState its policy's, before any round
   */
  public static Snapshot start(RunSettings settings, Weights decided, byte[] policyState) {
    int domains = settings.domains().size();
    return new Snapshot(
        0,
        0,
        1,
        0,
        0,
        decided,
        false,
        0,
        policyState,
        new long[domains],
        new long[settings.lanes() * domains],
        settings.removedDomains());
  }

  /**
   * This snapshot for a run with these settings.
   *
   * @throws IllegalArgumentException if it cannot be one of theirs
   */
  public Snapshot requireFits(RunSettings settings) {
    List<String> domains = settings.domains();
    if (decided.size() != domains.size()) {
      throw new IllegalArgumentException(
          "a snapshot must have the run's " + domains.size() + " domains: " + decided.size());
    }
    if (ordinals.length != settings.lanes() * domains.size()) {
      throw new IllegalArgumentException(
          "ordinals must be of the run's "
              + settings.lanes()
              + " lanes of "
              + domains.size()
              + " domains: "
              + ordinals.length);
    }
    BitSet unmasked = settings.removedDomains();
    unmasked.andNot(masked);
    if (!unmasked.isEmpty()) {
      throw new IllegalArgumentException(
          "removed domains must be masked: " + domains.get(unmasked.nextSetBit(0)));
    }
    return this;
  }

  private static void atLeast(String key, long value, long low) {
    if (value < low) {
      throw new IllegalArgumentException(key + " must be at least " + low + ": " + value);
    }
  }
}
