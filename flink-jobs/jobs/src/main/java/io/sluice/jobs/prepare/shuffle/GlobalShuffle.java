package io.sluice.jobs.prepare.shuffle;

import io.sluice.schema.ChainHash;
import io.sluice.schema.DatasetSpec;
import java.util.Optional;

/**
 * All documents of a domain, handed back in the order of a keyed permutation once the last is in.
 *
 * <p>Version 1: of n documents number p (from 0) of the order is that which came in as number
 * {@code order(p)}. Let h be the least number, at least 1, with 4^h >= n, and x = p. Six times (i =
 * 0 to 5) the halves (l, r) of the 2h bits of x become (r, l xor F(i, r)), where F is the upper h
 * bits of {@code mix(ChainHash.domain(seed, name) + i 2^32 + r)}; that is repeated until x is below
 * n. Each step is a bijection of the numbers below 4^h, so what is cut out of its cycles is one of
 * those below n, and nothing but n has to be known of it.
 */
final class GlobalShuffle implements Shuffle {
  private static final int ROUNDS = 6;

  private final long stream;
  private final Slots slots;
  private int size;
  private long picks;

  GlobalShuffle(DatasetSpec spec, String domain, Slots slots, int size, long picks) {
    this.stream = ChainHash.domain(spec.getSeed(), domain);
    this.slots = slots;
    this.size = size;
    this.picks = picks;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long picks() {
    return picks;
  }

  @Override
  public Optional<byte[]> exchange(byte[] document) {
    if (picks > 0) {
      throw new IllegalStateException("a document comes after " + picks + " were drawn of all");
    }
    slots.put(size, document);
    size = Math.incrementExact(size);
    return Optional.empty();
  }

  @Override
  public Optional<byte[]> drain() {
    if (size == 0) {
      return Optional.empty();
    }
    int slot = order(picks, entered());
    byte[] released = slots.get(slot);
    slots.remove(slot);
    picks++;
    size--;
    return Optional.of(released);
  }

  private int order(long place, long documents) {
    int half = Math.max(1, (65 - Long.numberOfLeadingZeros(documents - 1)) / 2);
    long x = place;
    do {
      x = permuted(x, half);
    } while (x >= documents);
    return (int) x;
  }

  private long permuted(long x, int half) {
    long left = x >>> half;
    long right = x & ((1L << half) - 1);
    for (long round = 0; round < ROUNDS; round++) {
      long mixed = ChainHash.mix(stream + (round << 32) + right) >>> (Long.SIZE - half);
      long before = left;
      left = right;
      right = before ^ mixed;
    }
    return left << half | right;
  }
}
