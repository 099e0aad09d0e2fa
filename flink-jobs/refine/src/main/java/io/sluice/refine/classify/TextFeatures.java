package io.sluice.refine.classify;

import io.sluice.refine.text.Words;

/**
 * Texts as vectors: logarithms of the counts of their words, pairs of words and triples of
 * characters, each in the bucket of its hash, divided by the vector's length. Triples keep the
 * punctuation and case that words lose, which tell languages of programs apart; white space of any
 * length is one space. A model depends on every constant here.
 *
 * @param buckets a power of two
 * @param characters from the start of a text that are looked at; what is behind them costs nothing
 */
record TextFeatures(int buckets, int characters) {
  static final int FEWEST_BUCKETS = 1 << 10;
  static final int MOST_BUCKETS = 1 << 20;
  static final int FEWEST_CHARACTERS = 100;
  static final int MOST_CHARACTERS = 1_000_000;

  private static final long WORD = 0x5851F42D4C957F2DL;
  private static final long PAIR = 0x14057B7EF767814FL;
  private static final long TRIPLE = 0x2545F4914F6CDD1DL;

  /** The part of a text that is looked at. */
  String head(String text) {
    if (text.length() <= characters) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(characters - 1));
    return text.substring(0, splits ? characters - 1 : characters);
  }

  /** The vector of a text; empty if the text has no word. */
  FeatureVector of(String text) {
    String head = head(text);
    Words words = Words.of(head);
    if (words.size() == 0) {
      return new FeatureVector(new int[0], new float[0]);
    }
    BucketCounts counts = new BucketCounts(2 * words.size() + head.length() + 1);
    for (int i = 0; i < words.size(); i++) {
      counts.add(bucket(words.hash(i) + WORD));
      if (i > 0) {
        counts.add(bucket(words.gram(i - 1, 2) + PAIR));
      }
    }
    addTriples(head, counts);
    return counts.normalised();
  }

  private void addTriples(String text, BucketCounts counts) {
    long triple = ' ';
    for (int i = 0; i <= text.length(); i++) {
      char next = i < text.length() ? text.charAt(i) : ' ';
      boolean white = Character.isWhitespace(next);
      if (white && (triple & 0xFFFF) == ' ') {
        continue;
      }
      triple = (triple << 16 | (white ? ' ' : next)) & 0xFFFF_FFFF_FFFFL;
      if (triple >>> 32 != 0) {
        counts.add(bucket(triple + TRIPLE));
      }
    }
  }

  private int bucket(long hash) {
    return (int) Words.mixed(hash) & (buckets - 1);
  }
}
