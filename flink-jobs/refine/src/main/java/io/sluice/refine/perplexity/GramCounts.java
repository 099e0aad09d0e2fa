package io.sluice.refine.perplexity;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts of n-grams of one length, by their hashes, in the order in which they were found: an open
 * addressing table of places in arrays that grow up to a bound. Each n-gram knows the places, among
 * those one word shorter, of itself without its last word, the context, and without its first, the
 * suffix.
 */
final class GramCounts {
  private final int most;
  private long[] keys;
  private int[] counts;
  private int[] contexts;
  private int[] suffixes;

  /** Sums of the counts of n-grams one word longer whose context each one is. */
  private int[] totals;

  /** Places and 1; 0 where none is. */
  private int[] slots;

  private int size;

  GramCounts(int most) {
    this.most = most;
    int room = Math.min(most, 1024);
    keys = new long[room];
    counts = new int[room];
    contexts = new int[room];
    suffixes = new int[room];
    totals = new int[room];
    slots = new int[slotsFor(room)];
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return size == most;
  }

  long[] keys() {
    return Arrays.copyOf(keys, size);
  }

  long key(int id) {
    return keys[id];
  }

  int count(int id) {
    return counts[id];
  }

  int context(int id) {
    return contexts[id];
  }

  int suffix(int id) {
    return suffixes[id];
  }

  int total(int id) {
    return totals[id];
  }

  void raiseCount(int id) {
    counts[id]++;
  }

  void raiseTotal(int id) {
    totals[id]++;
  }

  /** The place of an n-gram, or -1. */
  int find(long key) {
    int mask = slots.length - 1;
    for (int slot = (int) key & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      if (keys[slots[slot] - 1] == key) {
        return slots[slot] - 1;
      }
    }
    return -1;
  }

  /** Takes up an n-gram that is not there, with a count of 0; there must be room. */
  int add(long key, int context, int suffix) {
    if (size == keys.length) {
      grow((int) Math.min(most, 2L * size));
    }
    keys[size] = key;
    contexts[size] = context;
    suffixes[size] = suffix;
    counts[size] = 0;
    totals[size] = 0;
    enter(size);
    return size++;
  }

  /** How many were counted 1 to 4 times, at places 1 to 4. */
  long[] countsOfCounts() {
    long[] seen = new long[5];
    for (int i = 0; i < size; i++) {
      if (counts[i] < seen.length) {
        seen[counts[i]]++;
      }
    }
    return seen;
  }

  /** The lowest power of two such that at most three quarters of the room are counted as often. */
  int enough() {
    for (int least = 2; least < 1 << 30; least *= 2) {
      int kept = 0;
      for (int i = 0; i < size; i++) {
        kept += counts[i] >= least ? 1 : 0;
      }
      if (kept <= most - most / 4) {
        return least;
      }
    }
    return Integer.MAX_VALUE;
  }

  /**
   * Drops the n-grams with low counts, and those of which a part was dropped.
   *
   * @param least count of those that stay
   * @param moved new places of those one word shorter, -1 where dropped; null if all stayed
   * @return new places of these, likewise
   */
  int[] keep(int least, int @Nullable [] moved) {
    int[] places = new int[size];
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int context = moved == null ? contexts[i] : moved[contexts[i]];
      int suffix = moved == null ? suffixes[i] : moved[suffixes[i]];
      boolean stays = counts[i] >= least && context >= 0 && suffix >= 0;
      places[i] = stays ? kept : -1;
      if (stays) {
        keys[kept] = keys[i];
        counts[kept] = counts[i];
        totals[kept] = totals[i];
        contexts[kept] = context;
        suffixes[kept++] = suffix;
      }
    }
    size = kept;
    enterAll();
    return places;
  }

  private void grow(int room) {
    keys = Arrays.copyOf(keys, room);
    counts = Arrays.copyOf(counts, room);
    contexts = Arrays.copyOf(contexts, room);
    suffixes = Arrays.copyOf(suffixes, room);
    totals = Arrays.copyOf(totals, room);
    slots = new int[slotsFor(room)];
    enterAll();
  }

  private void enterAll() {
    Arrays.fill(slots, 0);
    for (int i = 0; i < size; i++) {
      enter(i);
    }
  }

  private void enter(int id) {
    int mask = slots.length - 1;
    int slot = (int) keys[id] & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = id + 1;
  }

  /** A power of two of which at most three quarters are taken. */
  private static int slotsFor(int room) {
    return Integer.highestOneBit(room + room / 3) << 1;
  }
}
