package io.sluice.control.domain;

/**
 * A set of hashes of 128 bits, which are spread evenly: pairs of numbers in one array, each at the
 * first free place from where it belongs. (0, 0) is a free place, and counted apart.
 */
final class HashTable {
  /** What a hash takes: 16 bytes, and its share of free places. */
  static final int BYTES = 28;

  /** Most hashes that one table is made for. */
  static final int MOST = 1 << 28;

  private long[] places;
  private int size;
  private boolean zero;

  /** For about so many hashes, at most {@link #MOST}; it grows beyond. */
  HashTable(int expected) {
    long some = expected + expected / 16L + 1024;
    places = new long[(int) (some / 2 * 3) * 2];
  }

  /** Whether a hash is new; from now on it is there. */
  boolean add(long high, long low) {
    if (high == 0 && low == 0) {
      boolean isNew = !zero;
      zero = true;
      return isNew;
    }
    int free = find(places, high, low);
    if (free < 0) {
      return false;
    }
    places[free] = high;
    places[free + 1] = low;
    size++;
    if (size > places.length / 2 * 2L / 3) {
      grow();
    }
    return true;
  }

  /** The free place of a hash; negative if it is there. */
  private static int find(long[] places, long high, long low) {
    int at = (int) ((high >>> 1) % (places.length / 2)) * 2;
    while (places[at] != 0 || places[at + 1] != 0) {
      if (places[at] == high && places[at + 1] == low) {
        return -1;
      }
      at = at + 2 == places.length ? 0 : at + 2;
    }
    return at;
  }

  private void grow() {
    long[] larger = new long[(int) Math.min(Integer.MAX_VALUE - 9L, 2L * places.length) & ~1];
    for (int at = 0; at < places.length; at += 2) {
      if (places[at] != 0 || places[at + 1] != 0) {
        int free = find(larger, places[at], places[at + 1]);
        larger[free] = places[at];
        larger[free + 1] = places[at + 1];
      }
    }
    places = larger;
  }
}
