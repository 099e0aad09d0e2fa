package io.sluice.refine.cluster;

import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.text.Words;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Vectors of a sample of texts, those with the least hashes: the same ones in whatever order texts
 * come. Not safe for use by many threads.
 */
public final class VectorSample {
  private final int most;
  private final long key;
  private final PriorityQueue<Entry> kept =
      new PriorityQueue<>(Comparator.comparingLong(Entry::hash).reversed());

  private record Entry(long hash, float[] vector) {}

  /**
   * An empty sample.
   *
   * @param most vectors that it keeps, at least 1
   */
  public VectorSample(int most, long seed) {
    if (most < 1) {
      throw new BadInputException("a sample must have at least 1 vector: found " + most);
    }
    this.most = most;
    this.key = Words.mixed(seed);
  }

  /** Where a text stands in the order of the sample. */
  public long hash(String text) {
    return Words.mixed(Hashing.komihash5_0().hashCharsToLong(text) ^ key);
  }

  /** Whether a text of this hash would be kept, as things stand. */
  public boolean wants(long hash) {
    Entry last = kept.peek();
    return kept.size() < most || last == null || hash < last.hash;
  }

  /** Takes the vector of a text, and lets go of the one with the greatest hash if it is full. */
  public void add(long hash, float[] vector) {
    if (!wants(hash)) {
      return;
    }
    kept.add(new Entry(hash, vector));
    if (kept.size() > most) {
      kept.remove();
    }
  }

  /** Number of vectors. */
  public int size() {
    return kept.size();
  }

  /** The vectors in the order of their hashes; not copies. */
  public float[][] vectors() {
    return kept.stream()
        .sorted(Comparator.comparingLong(Entry::hash))
        .map(Entry::vector)
        .toArray(float[][]::new);
  }
}
