package io.sluice.refine.twin;

import io.sluice.refine.text.Words;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** Texts of words that are drawn by chance, common words more often. */
public final class TestingTexts {
  private static final int VOCABULARY = 20_000;

  private final SplittableRandom random;

  /** Those of a seed. */
  public TestingTexts(long seed) {
    random = new SplittableRandom(seed);
  }

  /** So many words. */
  public String[] words(int count) {
    String[] words = new String[count];
    for (int i = 0; i < count; i++) {
      words[i] = word();
    }
    return words;
  }

  /** The words with some runs of them replaced by others. */
  public String[] changed(String[] words, int runs, int length) {
    String[] changed = words.clone();
    for (int run = 0; run < runs; run++) {
      int first = random.nextInt(words.length - length);
      for (int i = first; i < first + length; i++) {
        changed[i] = word();
      }
    }
    return changed;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** The words as a text. */
  public static String text(String[] words) {
    return String.join(" ", words);
  }

  /** The Jaccard similarity of the 5-grams. */
  public static double similarity(String[] one, String[] other) {
    Set<Long> common = grams(one);
    Set<Long> all = grams(other);
    common.retainAll(all);
    all.addAll(grams(one));
    return common.size() / (double) all.size();
  }

  private static Set<Long> grams(String[] words) {
    Set<Long> grams = new HashSet<>();
    for (long gram : Words.of(text(words)).grams(5)) {
      grams.add(gram);
    }
    return grams;
  }

  private String word() {
    return "w" + (int) (VOCABULARY * Math.pow(random.nextDouble(), 3));
  }
}
