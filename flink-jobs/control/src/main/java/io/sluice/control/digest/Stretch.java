package io.sluice.control.digest;

import java.util.Arrays;

/** What a process said of batches that follow each other. */
final class Stretch {
  private final Teller teller;
  private final String process;
  private final long first;
  private long[] digests = new long[2];
  private int size;

  /**
   * Says nothing yet.
   *
   * @param process where the rank ran then; '' when that is not known
   * @param first batch
   */
  Stretch(Teller teller, String process, long first) {
    this.teller = teller;
    this.process = process;
    this.first = first;
  }

  Teller teller() {
    return teller;
  }

  long first() {
    return first;
  }

  /** The batch after the last one. */
  long end() {
    return first + size;
  }

  boolean isOf(String other) {
    return process.equals(other);
  }

  void add(long digest) {
    if (size == digests.length) {
      digests = Arrays.copyOf(digests, 2 * size);
    }
    digests[size++] = digest;
  }

  /** Forgets what it says of a batch after its first and of those behind. */
  void forgetFrom(long batch) {
    size = (int) (batch - first);
    digests = Arrays.copyOf(digests, Math.max(1, size));
  }

  long digest(long batch) {
    return digests[(int) (batch - first)];
  }

  /** Who it was, for people. */
  @Override
  public String toString() {
    return process.isEmpty() ? teller.toString() : teller + " (" + process + ")";
  }
}
