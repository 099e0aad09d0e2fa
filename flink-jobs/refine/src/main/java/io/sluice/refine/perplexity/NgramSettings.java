package io.sluice.refine.perplexity;

import io.sluice.control.error.BadInputException;

/**
 * What a model of n-grams is made with.
 *
 * @param order words of its longest n-grams, from 1 to {@value #HIGHEST_ORDER}
 * @param mostNgrams n-grams of all lengths that it keeps at most, from {@value #FEWEST_NGRAMS} to
 *     {@value #MOST_NGRAMS}; each takes about 32 bytes while it is trained, and 20 to read
 * @param firstWords words of a text's beginning that count in its perplexity
 */
public record NgramSettings(int order, int mostNgrams, int firstWords) {
  static final int HIGHEST_ORDER = 5;
  static final int FEWEST_NGRAMS = 1_000;
  static final int MOST_NGRAMS = 64 << 20;
  static final int MOST_WORDS = 1 << 20;

  /** Trigrams, 8 million n-grams, 4,096 words of a text. */
  public static final NgramSettings STANDARD = new NgramSettings(3, 8_000_000, 4_096);

  /** Checks the ranges. */
  public NgramSettings {
    require("order", order, 1, HIGHEST_ORDER);
    require("most-ngrams", mostNgrams, FEWEST_NGRAMS, MOST_NGRAMS);
    require("first-words", firstWords, 1, MOST_WORDS);
  }

  /**
   * How many n-grams of a length, from 0 for words, are kept: twice as many as of the one below.
   */
  int most(int level) {
    long share = ((long) mostNgrams << level) / ((1L << order) - 1);
    return (int) (level == 0 ? Math.min(share, NgramModel.OPEN_VOCABULARY / 2) : share);
  }

  private static void require(String key, int value, int min, int max) {
    if (value < min || value > max) {
      throw new BadInputException(
          key + " must be a whole number from " + min + " to " + max + ": found " + value);
    }
  }
}
