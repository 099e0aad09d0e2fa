package io.sluice.jobs.prepare.log;

import java.util.Arrays;

/**
 * Numbers above 0 that ascend, such as after how many documents a shuffle buffer was released. They
 * are kept as their differences, 7 bits in a byte: a year of releases that are 30 s apart takes 1
 * to 3 MB.
 */
public final class AscendingNumbers {
  private byte[] differences = new byte[8];
  private int length;
  private long last;
  private int read;
  private long reached;

  /**
   * Adds the next.
   *
   * @return whether it comes after all that are there; another is left out
   */
  public boolean add(long number) {
    if (number <= last) {
      return false;
    }
    long left = number - last;
    while (left > 0x7F) {
      put((byte) (left | 0x80));
      left >>>= 7;
    }
    put((byte) left);
    last = number;
    return true;
  }

  /** The last; 0 if there is none. */
  public long last() {
    return last;
  }

  /** Whether a number is there; no call asks for a smaller one than one before. */
  public boolean has(long number) {
    while (reached < number && read < length) {
      reached += next();
    }
    return number > 0 && reached == number;
  }

  private void put(byte part) {
    if (length == differences.length) {
      differences = Arrays.copyOf(differences, 2 * length);
    }
    differences[length++] = part;
  }

  private long next() {
    long difference = 0;
    int shift = 0;
    byte part;
    do {
      part = differences[read++];
      difference |= (part & 0x7FL) << shift;
      shift += 7;
    } while (part < 0);
    return difference;
  }
}
