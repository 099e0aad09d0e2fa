package io.sluice.jobs.prepare.pack;

import java.util.Arrays;

/**
 * After how many documents a domain's shuffle buffer let all its documents go by time, ascending.
 * They are kept as their differences, 7 bits in a byte: a year of releases that are 30 s apart
 * takes 1 to 3 MB.
 */
final class Releases {
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
  boolean add(long documents) {
    if (documents <= last) {
      return false;
    }
    long left = documents - last;
    while (left > 0x7F) {
      put((byte) (left | 0x80));
      left >>>= 7;
    }
    put((byte) left);
    last = documents;
    return true;
  }

  /** After how many documents the last was; 0 if there is none. */
  long last() {
    return last;
  }

  /** Whether there is one after so many documents; no call asks for fewer than one before. */
  boolean has(long documents) {
    while (reached < documents && read < length) {
      reached += next();
    }
    return documents > 0 && reached == documents;
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
