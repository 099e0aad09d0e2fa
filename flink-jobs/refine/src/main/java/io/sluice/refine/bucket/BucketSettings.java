package io.sluice.refine.bucket;

import io.sluice.control.error.BadInputException;

/**
 * How documents are divided into buckets.
 *
 * @param buckets how many, from 2 to {@value #MOST_BUCKETS}
 * @param warmUp documents before the first borders, from 1 to 1,000,000
 * @param growth by what factor the tokens grow until borders are judged again, from 1.1 to 100
 * @param tolerance by how much a bucket's share of the tokens may differ from an equal one,
 *     relative to that, before borders move: from 0.05 to 1
 */
public record BucketSettings(int buckets, int warmUp, double growth, double tolerance) {
  /** So many that the sketch's error is small beside a bucket's share. */
  static final int MOST_BUCKETS = 32;

  /** Ten buckets, as in Llama-3-SynE, section 4.1.2. */
  public static final BucketSettings STANDARD = new BucketSettings(10, 1_000, 2, 0.2);

  /** Checks the ranges. */
  public BucketSettings {
    require("buckets", buckets, 2, MOST_BUCKETS);
    require("warm-up", warmUp, 1, 1_000_000);
    require("growth", growth, 1.1, 100);
    require("tolerance", tolerance, 0.05, 1);
  }

  private static void require(String key, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new BadInputException(
          key + " must be a number from " + min + " to " + max + ": found " + value);
    }
  }
}
