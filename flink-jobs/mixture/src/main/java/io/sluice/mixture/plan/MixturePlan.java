package io.sluice.mixture.plan;

import java.util.Arrays;

/**
 * Turns weights into whole sequences per batch so that every prefix of the stream keeps the
 * mixture.
 *
 * <p>The rule, in integers of 2^-40 sequences: {@code error += w · G} for each domain, then {@code
 * G} seats, one at a time, each to the domain that is owed most (ties: lower index) and each for
 * one whole sequence of error. A domain of weight zero gets no seat and its error is frozen.
 *
 * <p>For any G and any change of weights, error ≤ H_k − 1 sequences, also of what is left when
 * domains are masked one after the other; and error &gt; m − 1, where m ≤ 0 is the lowest that the
 * mean error of the domains with weight ever was: 0 while no domain is masked. A weight that is
 * zero for a time and then is not may cost more.
 *
 * <p>The seats are found without giving them one at a time. A domain that is owed e makes offers of
 * e, e − 1, e − 2, …; the G largest offers win. All offers of one sequence or more are taken at
 * once (the floors); what is then missing is taken from the next offers, one of each domain, and
 * what is too much is given back from the smallest accepted ones. One of each domain is enough
 * where the domains with weight are owed nothing together: while a seat is missing, one of them is
 * owed more than nothing, and who has got one is owed less. So version 2 first takes from each what
 * they are owed on average, which is not 0 once a domain is masked, and which changes no
 * comparison.
 *
 * <p>Version 1 did not, and gave some seats to others than the rule then: streams were made by what
 * it did, so for its runs that is what counts.
 *
 * <p>Where a domain can give only so many sequences, its further offers are not there, and the same
 * rule seats the others; its error grows until it can give them. Such batches, and those of domains
 * that are owed much after them, are seated by {@link OfferSearch}.
 */
public final class MixturePlan {
  /** Version of the plan of new runs, pinned in a run's first control record. */
  public static final int VERSION = 2;

  private static final int FIRST_VERSION = 1;

  /** Most sequences in a batch: keeps {@code w · G} within a long. */
  public static final int MAX_BATCH = 1 << 20;

  /** Largest error that a plan may carry, which keeps every sum within a long. */
  public static final long MAX_ERROR = 1L << 60;

  private static final int INDEX_BITS = 18;

  /** Errors up to here can be sorted together with their index in one long. */
  private static final long QUICK = 1L << 44;

  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

  private final int version;
  private final long[] error;

  private MixturePlan(int version, long[] error) {
    this.version = requireKnown(version);
    this.error = error;
  }

  /** The plan of a new run. */
  public static MixturePlan start(int domains) {
    return new MixturePlan(VERSION, new long[domains]);
  }

  /**
   * A version of the plan.
   *
   * @return the version
   * @throws IllegalArgumentException unless this build knows it
   */
  public static int requireKnown(int version) {
    if (version < FIRST_VERSION || version > VERSION) {
      throw new IllegalArgumentException(
          "plan version must be in [" + FIRST_VERSION + ", " + VERSION + "]: " + version);
    }
    return version;
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
  public static MixturePlan resume(int version, long[] error) {
    return new MixturePlan(version, error.clone());
  }

  /** A plan in the same state that moves on its own. */
  public MixturePlan copy() {
    return resume(version, error);
  }

  /** The plan of a run that has more domains from now on, or as many. */
  public MixturePlan resized(int domains) {
    return new MixturePlan(version, Arrays.copyOf(error, domains));
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
    return version == FIRST_VERSION ? first(effective, seats) : ruled(effective, seats);
  }

  /** What version 1 did, whether or not the domains with weight are owed nothing together. */
  private int[] first(Weights effective, int seats) {
    return isFar() ? uncapped(effective, seats) : quick(effective, seats);
  }

  /** The rule. All domains together are owed nothing: see {@link #requireOwed}. */
  private int[] ruled(Weights effective, int seats) {
    return effective.isPositive() && !isFar() ? quick(effective, seats) : level(effective, seats);
  }

  private boolean isFar() {
    for (long owed : error) {
      if (Math.abs(owed) > QUICK) {
        return true;
      }
    }
    return false;
  }

  /** Gives seats with the errors of the domains with weight moved so that they sum to about 0. */
  private int[] level(Weights effective, int seats) {
    long sum = 0;
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    int weighted = 0;
    for (int i = 0; i < error.length; i++) {
      if (effective.part(i) > 0) {
        sum += error[i];
        least = Math.min(least, error[i]);
        most = Math.max(most, error[i]);
        weighted++;
      }
    }
    // Towards minus infinity, so that they then sum to 0 or a few units above it.
    long mean = Math.floorDiv(sum, weighted);
    if (least - mean < -QUICK || most - mean > QUICK) {
      return uncapped(effective, seats);
    }
    move(effective, -mean);
    int[] counts = quick(effective, seats);
    move(effective, mean);
    return counts;
  }

  private void move(Weights effective, long by) {
    for (int i = 0; i < error.length; i++) {
      error[i] += effective.part(i) > 0 ? by : 0;
    }
  }

  private int[] uncapped(Weights effective, int seats) {
    long[] all = new long[error.length];
    Arrays.fill(all, seats);
    return OfferSearch.seat(error, effective, seats, all);
  }

  private int[] quick(Weights effective, int seats) {
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
    return exact(effective, counts, seats, taken);
  }

  private int[] exact(Weights effective, int[] counts, int seats, long before) {
    long taken = before;
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
        return OfferSearch.seat(error, effective, seats, most);
      }
    }
    // Where nobody lacks anything, a bound changes nothing.
    System.arraycopy(free.error, 0, error, 0, error.length);
    return counts;
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
