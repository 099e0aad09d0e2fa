package io.sluice.refine.targets;

import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/** Numbers by hashes, in open addressing with at most half of the places taken; grows. */
final class GramTable {
  private static final int SMALLEST = 1 << 10;

  private long[] keys;
  private short[] values;
  private int size;

  /** An empty table with room for as many. */
  GramTable(int expected) {
    int places = Math.max(SMALLEST, Integer.highestOneBit(Math.max(1, 2 * expected - 1)) * 2);
    keys = new long[places];
    values = new short[places];
  }

  int size() {
    return size;
  }

  /** Puts a number from 0 to 65,535 where there is none for the hash. */
  void add(long hash, int value) {
    int place = place(hash);
    if (keys[place] == 0) {
      keys[place] = key(hash);
      values[place] = (short) value;
      size++;
      if (size > keys.length / 2) {
        grow();
      }
    }
  }

  /** The number of a hash, or -1. */
  int get(long hash) {
    int place = place(hash);
    return keys[place] == 0 ? -1 : values[place] & 0xffff;
  }

  /** The hashes, ascending. */
  long[] hashes() {
    LongPredicate taken = key -> key != 0;
    return LongStream.of(keys).filter(taken).sorted().toArray();
  }

  private int place(long hash) {
    long key = key(hash);
    int mask = keys.length - 1;
    int place = (int) key & mask;
    while (keys[place] != 0 && keys[place] != key) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Zero marks a place that is free. */
  private static long key(long hash) {
    return hash == 0 ? 1 : hash;
  }

  private void grow() {
    long[] oldKeys = keys;
    short[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = Arrays.copyOf(values, keys.length);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int place = place(oldKeys[i]);
        keys[place] = oldKeys[i];
        values[place] = oldValues[i];
      }
    }
  }
}
