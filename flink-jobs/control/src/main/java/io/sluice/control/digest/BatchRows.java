package io.sluice.control.digest;

import io.sluice.schema.segment.BatchDigest;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** The rows of a batch in the order of their indices, each as far as it is known. */
public final class BatchRows {
  private final long batch;
  private final long[] sums;
  private final BitSet absent = new BitSet();
  private final BitSet purged = new BitSet();
  private final String[] domains;
  private final long firstIndex;
  private int size;

  /**
   * A batch of which no row was added.
   *
   * @param firstIndex global index of its first row
   * @param rows that will be
   */
  public BatchRows(long batch, long firstIndex, int rows) {
    this.batch = batch;
    this.firstIndex = firstIndex;
    this.sums = new long[rows + 1];
    this.domains = new String[rows];
  }

  /** Adds the next row: that of a block. */
  public void add(RowHashes hashes, String domain, int lane, long block) {
    long term = 0;
    if (!hashes.has(domain, lane, block)) {
      absent.set(size);
    } else {
      term = BatchDigest.of(firstIndex + size, hashes.hash(domain, lane, block));
      purged.set(size, hashes.isPurged(domain, lane, block));
    }
    sums[size + 1] = sums[size] + term;
    domains[size] = domain;
    size++;
  }

  /** Its number, from 1. */
  public long batch() {
    return batch;
  }

  /** The digest of all of its rows; empty if one is not there, or not what it was. */
  public OptionalLong digest() {
    return has(0, size) && !isPurged(0, size)
        ? OptionalLong.of(digest(0, size))
        : OptionalLong.empty();
  }

  /** The part of the digest that each domain's rows are, of domains that it has rows of. */
  public SortedMap<String, Long> digests() {
    SortedMap<String, Long> parts = new TreeMap<>();
    for (int row = 0; row < size; row++) {
      parts.merge(domains[row], digest(row, row + 1), Long::sum);
    }
    return parts;
  }

  /** The domain of the first row that is not there, or not what it was. */
  public Optional<String> lacking() {
    BitSet all = (BitSet) absent.clone();
    all.or(purged);
    return all.isEmpty() ? Optional.empty() : Optional.of(domains[all.nextSetBit(0)]);
  }

  int size() {
    return size;
  }

  /** The digest of the rows from one place to another. */
  long digest(int from, int to) {
    return sums[to] - sums[from];
  }

  /** Whether all rows from one place to another are there. */
  boolean has(int from, int to) {
    int next = absent.nextSetBit(from);
    return next < 0 || next >= to;
  }

  /** Whether one of them is not what it was. */
  boolean isPurged(int from, int to) {
    int next = purged.nextSetBit(from);
    return next >= 0 && next < to;
  }
}
