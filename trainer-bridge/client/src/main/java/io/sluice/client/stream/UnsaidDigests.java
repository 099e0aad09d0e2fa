package io.sluice.client.stream;

import io.sluice.schema.Limits;
import io.sluice.schema.ReadBatches;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Digests of batches that were handed out and not said to the run yet. Whoever reports nothing
 * keeps those of the last batches. Thread-safe.
 */
final class UnsaidDigests {
  /** Most batches that are kept; the oldest go first. */
  static final int MOST = 1 << 16;

  private final Deque<Long> digests = new ArrayDeque<>();
  private long next;

  /** A batch was handed out, the one after the batch before. */
  synchronized void add(long batch, long digest) {
    digests.addLast(digest);
    next = batch + 1;
    if (digests.size() > MOST) {
      digests.removeFirst();
    }
  }

  /** The loader goes elsewhere: whether what was handed out is trained on nobody knows. */
  synchronized void forget() {
    digests.clear();
  }

  /** Takes those of the batches up to one. */
  synchronized List<ReadBatches> take(long batch) {
    List<ReadBatches> taken = new ArrayList<>();
    for (long first = first(); first <= batch && first < next; first = first()) {
      long count = Math.min(Math.min(batch + 1, next) - first, Limits.DIGESTS);
      List<Long> some = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        some.add(digests.removeFirst());
      }
      taken.add(new ReadBatches(first, some));
    }
    return taken;
  }

  private long first() {
    return next - digests.size();
  }
}
