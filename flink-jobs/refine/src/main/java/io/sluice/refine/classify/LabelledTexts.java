package io.sluice.refine.classify;

import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.refine.text.Words;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The vectors of a label's texts, by hashes of what is looked at of these: a text that comes twice
 * is there once, and the order in which they come does not matter. Once they have more n-grams than
 * there is room for, those with the smallest hashes stay, which is a sample without regard to what
 * they say.
 */
final class LabelledTexts {
  private final long seed;
  private final long room;
  private final TreeMap<Long, FeatureVector> byHash = new TreeMap<>(Long::compareUnsigned);
  private long used;
  private long bound = -1;
  private long seen;

  /**
   * An empty one.
   *
   * @param room number of n-grams, of all texts together
   */
  LabelledTexts(long room, long seed) {
    this.room = room;
    this.seed = seed;
  }

  /** Takes a text, unless it has no n-grams. */
  void add(String text, TextFeatures features) {
    long hash =
        Words.mixed(Hashing.komihash5_0().hashCharsToLong(features.head(text)) + Words.mixed(seed));
    if (byHash.containsKey(hash)) {
      return;
    }
    // What is larger than one that had to go would have had to go before it.
    if (Long.compareUnsigned(hash, bound) >= 0) {
      seen++;
      return;
    }
    FeatureVector vector = features.of(text);
    if (vector.size() == 0) {
      return;
    }
    seen++;
    byHash.put(hash, vector);
    used += vector.size();
    while (used > room) {
      Map.Entry<Long, FeatureVector> last = byHash.pollLastEntry();
      used -= last.getValue().size();
      bound = last.getKey();
    }
  }

  /** How many came, less those that came again, or without a word, while there was room. */
  long seen() {
    return seen;
  }

  int size() {
    return byHash.size();
  }

  /** Hashes of the texts to measure with: at least one, if any share is. */
  List<Long> heldOut(double share) {
    int count = share == 0 ? 0 : Math.max(1, (int) Math.round(share * size()));
    return byHash.keySet().stream()
        .sorted((a, b) -> Long.compareUnsigned(Words.mixed(~a), Words.mixed(~b)))
        .limit(count)
        .toList();
  }

  /** The vectors of some texts, chosen by hashes, in order of these. */
  List<FeatureVector> vectors(Predicate<Long> chosen) {
    return byHash.entrySet().stream()
        .filter(text -> chosen.test(text.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }
}
