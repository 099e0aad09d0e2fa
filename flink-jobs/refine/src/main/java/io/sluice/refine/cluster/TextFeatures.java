package io.sluice.refine.cluster;

import io.sluice.refine.text.Words;
import java.util.Arrays;

/**
 * What a text's vector is made of: hashes of its words, of its pairs of words, and of its runs of
 * four characters. The last ones tell programming languages and the parts of identifiers apart.
 */
final class TextFeatures {
  /** How much a word, a pair of words, and a run of characters count. */
  private static final double[] WEIGHTS = {1, 0.5, 0.25};

  private static final long[] SALTS = {
    0x9E3779B97F4A7C15L, 0xD1B54A32D192ED03L, 0x8CB92BA72F3D8DD7L
  };

  /** Takes a feature that a text has. */
  interface Sink {
    /**
     * A feature, once for each text.
     *
     * @param hash all of whose bits depend on the feature
     * @param weight of the feature's kind
     * @param count how often the text has it, at least 1
     */
    void feature(long hash, double weight, int count);
  }

  private TextFeatures() {}

  /** Gives all features of a text's first characters to a sink, in an order of the text's own. */
  static void each(String text, int characters, Sink sink) {
    String start = text.length() <= characters ? text : text.substring(0, characters);
    Words words = Words.of(start);
    long[] single = new long[words.size()];
    Arrays.setAll(single, words::hash);
    count(single, 0, sink);
    count(words.size() < 2 ? new long[0] : words.grams(2), 1, sink);
    count(runs(start), 2, sink);
  }

  /** Runs of four characters, lower case, white space being one blank. */
  private static long[] runs(String text) {
    long[] runs = new long[text.length()];
    int length = 0;
    long run = 0;
    int seen = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = Character.toLowerCase(text.charAt(i));
      char shown = Character.isWhitespace(c) ? ' ' : c;
      if (shown == ' ' && (run & 0xFFFF) == ' ') {
        continue;
      }
      run = (run << Character.SIZE) | shown;
      if (++seen >= 4) {
        runs[length++] = run;
      }
    }
    return Arrays.copyOf(runs, length);
  }

  private static void count(long[] hashes, int kind, Sink sink) {
    Arrays.sort(hashes);
    for (int from = 0; from < hashes.length; ) {
      int to = from + 1;
      while (to < hashes.length && hashes[to] == hashes[from]) {
        to++;
      }
      sink.feature(Words.mixed(hashes[from] ^ SALTS[kind]), WEIGHTS[kind], to - from);
      from = to;
    }
  }
}
