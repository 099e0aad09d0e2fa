package io.sluice.mixture.plan;

import java.util.Arrays;

/**
 * Turns weights into whole sequences per batch so that every prefix of the stream keeps the
 * mixture.
 *
 * <p>Plan version 1, in integers of 2^-40 sequences: {@code error += w · G} for each domain, then
 * {@code G} seats, one at a time, each to the domain that is owed most (ties: lower index) and each
 * for one whole sequence of error. For any G and any change of weights, −1 &lt; error ≤ H_k − 1
 * sequences. A domain of weight zero gets no seat and its error is frozen.
 *
 * <p>The seats are found without giving them one at a time. A domain that is owed e makes offers of
 * e, e − 1, e − 2, …; the G largest offers win. All offers of one sequence or more are taken at
 * once (the floors); what is then missing is taken from the next offers, all smaller than one, and
 * what is too much is given back from the smallest accepted ones.
 *
 * <p>Where a domain can give only so many sequences, its further offers are not there, and the same
 * rule seats the others; its error grows until it can give them. Such batches, and those of domains
 * that are owed much after them, are seated by the value of the last winning offer, which is found
 * by bisection.
 */
public final class MixturePlan {
  /** Version of this rule, pinned in a run's first control record. */
  public static final int VERSION = 1;

  /** Most sequences in a batch: keeps {@code w · G} within a long. */
  public static final int MAX_BATCH = 1 << 20;

  /** Largest error that a plan may carry, which keeps every sum within a long. */
  public static final long MAX_ERROR = 1L << 60;

  private static final int INDEX_BITS = 18;

  /** Errors up to here can be sorted together with their index in one long. */
  private static final long QUICK = 1L << 44;

  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

  private final long[] error;

  private MixturePlan(long[] error) {
    this.error = error;
  }

  /** The plan of a run that has emitted nothing. */
  public static MixturePlan start(int domains) {
    return new MixturePlan(new long[domains]);
  }

  /**
   * What a plan can owe.
   *
   * @return the error
   * @throws IllegalArgumentException unless each is in [−2^60, 2^60] and they sum to 0
   */
  public static long[] requireOwed(long[] error) {
    long owed = 0;
    for (int i = 0; i < error.length; i++) {
      if (error[i] < -MAX_ERROR || error[i] > MAX_ERROR) {
        throw new IllegalArgumentException(
            "planError of domain " + i + " must be in [-2^60, 2^60]: " + error[i]);
      }
      owed += error[i];
    }
    if (owed != 0) {
      throw new IllegalArgumentException("planError must sum to 0: " + owed);
    }
    return error;
  }

  /** A plan that goes on from {@link #error()}. */
  public static MixturePlan resume(long[] error) {
    return new MixturePlan(error.clone());
  }

  /** A plan in the same state that moves on its own. */
  public MixturePlan copy() {
    return resume(error);
  }

  /** What each domain is owed, in units of 2^-40 sequences; negative when it is ahead. */
  public long[] error() {
    return error.clone();
  }

  /**
   * Sequences of each domain in the next batch.
   *
   * @param effective weights with masked domains at zero
   * @param seats sequences in the batch, in [1, 2^20]
   */
  public int[] next(Weights effective, int seats) {
    requireFits(effective, seats);
    for (long owed : error) {
      if (Math.abs(owed) > QUICK) {
        long[] all = new long[error.length];
        Arrays.fill(all, seats);
        return capped(effective, seats, all);
      }
    }
    int[] counts = new int[error.length];
    long taken = 0;
    for (int i = 0; i < error.length; i++) {
      if (effective.part(i) > 0) {
        error[i] += effective.part(i) * seats;
        int whole = (int) Math.max(0, error[i] / Weights.UNIT);
        counts[i] = whole;
        error[i] -= whole * Weights.UNIT;
        taken += whole;
      }
    }
    while (taken < seats) {
      taken += take(effective, counts, seats - taken);
    }
    while (taken > seats) {
      taken -= giveBack(counts, taken - seats);
    }
    return counts;
  }

  /**
   * Sequences of each domain in the next batch, where each can give only so many.
   *
   * @param effective weights with masked domains at zero
   * @param seats sequences in the batch, in [1, 2^20]
   * @param most that each domain can give; those with weight give {@code seats} together
   */
  public int[] next(Weights effective, int seats, long[] most) {
    requireFits(effective, seats);
    long given = 0;
    for (int i = 0; i < error.length; i++) {
      given += effective.part(i) > 0 ? Math.min(most[i], seats) : 0;
    }
    if (given < seats) {
      throw new IllegalArgumentException(
          "domains must be able to give " + seats + " sequences: " + given);
    }
    MixturePlan free = copy();
    int[] counts = free.next(effective, seats);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > most[i]) {
        return capped(effective, seats, most);
      }
    }
    // Where nobody lacks anything, a bound changes nothing.
    System.arraycopy(free.error, 0, error, 0, error.length);
    return counts;
  }

  private int[] capped(Weights effective, int seats, long[] most) {
    long[] offered = new long[error.length];
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 0; i < error.length; i++) {
      if (effective.part(i) > 0) {
        error[i] += effective.part(i) * seats;
        offered[i] = Math.min(most[i], seats);
        low = Math.min(low, error[i]);
        high = Math.max(high, error[i]);
      }
    }
    low -= seats * Weights.UNIT;
    // The highest value that at least `seats` offers reach.
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      long reached = 0;
      for (int i = 0; i < error.length; i++) {
        reached += offers(error[i], offered[i], middle);
      }
      if (reached >= seats) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return seat(offered, low, seats);
  }

  /** Takes every offer above {@code last}, then those of that value, lower indices first. */
  private int[] seat(long[] offered, long last, int seats) {
    int[] counts = new int[error.length];
    long left = seats;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (int) offers(error[i], offered[i], last + 1);
      left -= counts[i];
    }
    for (int i = 0; i < counts.length; i++) {
      if (left > 0 && offers(error[i], offered[i], last) > counts[i]) {
        counts[i]++;
        left--;
      }
      error[i] -= counts[i] * Weights.UNIT;
    }
    return counts;
  }

  /** How many of the offers owed, owed − 1, … are at least {@code value}. */
  private static long offers(long owed, long offered, long value) {
    return owed < value ? 0 : Math.min(offered, (owed - value) / Weights.UNIT + 1);
  }

  private void requireFits(Weights effective, int seats) {
    if (effective.size() != error.length) {
      throw new IllegalArgumentException(
          "weights must have " + error.length + " domains: " + effective.size());
    }
    if (seats < 1 || seats > MAX_BATCH) {
      throw new IllegalArgumentException("batch must be in [1, " + MAX_BATCH + "]: " + seats);
    }
  }

  /**
   * Replays a batch whose counts are in the log.
   *
   * @throws IllegalArgumentException if the counts do not follow from this plan
   */
  public void replay(Weights effective, int seats, int[] logged) {
    requireSame(next(effective, seats), logged);
  }

  /**
   * Replays a batch whose counts are in the log, where each domain could give only so many.
   *
   * @throws IllegalArgumentException if the counts do not follow from this plan
   */
  public void replay(Weights effective, int seats, int[] logged, long[] most) {
    requireSame(next(effective, seats, most), logged);
  }

  private static void requireSame(int[] mine, int[] logged) {
    if (!Arrays.equals(mine, logged)) {
      throw new IllegalArgumentException(
          "the plan gives counts " + Arrays.toString(mine) + ": " + Arrays.toString(logged));
    }
  }

  /** Takes up to {@code most} of the largest next offers, one for each domain. */
  private long take(Weights effective, int[] counts, long most) {
    long[] offers = new long[error.length];
    int open = 0;
    for (int i = 0; i < error.length; i++) {
      if (effective.part(i) > 0) {
        offers[open++] = (-error[i] << INDEX_BITS) | i;
      }
    }
    long taken = Math.min(most, open);
    Selection.smallest(offers, open, (int) taken);
    for (int n = 0; n < taken; n++) {
      int i = (int) (offers[n] & INDEX_MASK);
      counts[i]++;
      error[i] -= Weights.UNIT;
    }
    return taken;
  }

  /** Gives back up to {@code most} of the smallest accepted offers, one for each domain. */
  private long giveBack(int[] counts, long most) {
    long[] offers = new long[error.length];
    int held = 0;
    for (int i = 0; i < error.length; i++) {
      if (counts[i] > 0) {
        offers[held++] = (error[i] << INDEX_BITS) | (INDEX_MASK - i);
      }
    }
    long given = Math.min(most, held);
    Selection.smallest(offers, held, (int) given);
    for (int n = 0; n < given; n++) {
      int i = (int) (INDEX_MASK - (offers[n] & INDEX_MASK));
      counts[i]--;
      error[i] += Weights.UNIT;
    }
    return given;
  }
}
