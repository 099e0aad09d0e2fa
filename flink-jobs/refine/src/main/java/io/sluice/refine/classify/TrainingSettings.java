package io.sluice.refine.classify;

import io.sluice.control.error.BadInputException;

/**
 * How a classifier is trained.
 *
 * @param buckets that n-grams are hashed into, a power of two
 * @param characters from the start of each text that are looked at
 * @param rarest n-grams in fewer texts than this are not learned from
 * @param epochs how often each text is learned from
 * @param heldOut share of each label's texts that is not learned from but measured with
 * @param seed of everything that is by chance
 */
public record TrainingSettings(
    int buckets, int characters, int rarest, int epochs, double heldOut, long seed) {
  /** 2^18 buckets, 20,000 characters, n-grams of two texts, 10 epochs, a tenth held out. */
  public static final TrainingSettings STANDARD =
      new TrainingSettings(1 << 18, 20_000, 2, 10, .1, 1);

  /** Checks the ranges. */
  public TrainingSettings {
    require("characters", characters, TextFeatures.FEWEST_CHARACTERS, TextFeatures.MOST_CHARACTERS);
    require("rarest", rarest, 1, 1000);
    require("epochs", epochs, 1, 1000);
    if (Integer.bitCount(buckets) != 1
        || buckets < TextFeatures.FEWEST_BUCKETS
        || buckets > TextFeatures.MOST_BUCKETS) {
      throw new BadInputException("buckets must be a power of two, 2^10 to 2^20: " + buckets);
    }
    if (!(heldOut >= 0 && heldOut <= .5)) {
      throw new BadInputException("held-out must be a share from 0 to 0.5: " + heldOut);
    }
  }

  /** The same with another number of epochs, share that is held out, and seed. */
  public TrainingSettings with(int epochs, double heldOut, long seed) {
    return new TrainingSettings(buckets, characters, rarest, epochs, heldOut, seed);
  }

  private static void require(String key, int value, int min, int max) {
    if (value < min || value > max) {
      throw new BadInputException(key + " must be from " + min + " to " + max + ": " + value);
    }
  }
}
