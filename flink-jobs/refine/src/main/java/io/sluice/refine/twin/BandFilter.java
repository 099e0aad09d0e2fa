package io.sluice.refine.twin;

import io.sluice.refine.text.Words;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/**
 * A Bloom filter of hashes (Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors",
 * 1970), in pages of up to 1 MiB.
 */
final class BandFilter {
  static final int PAGE = 1 << 17;

  private final long bits;
  private final int probes;
  private final long[][] pages;
  private long set;

  /** An empty filter; bits are a multiple of 64. */
  BandFilter(long bits, int probes) {
    this.bits = bits;
    this.probes = probes;
    this.pages = new long[Math.toIntExact((bits / 64 + PAGE - 1) / PAGE)][];
    for (int page = 0; page < pages.length; page++) {
      pages[page] = new long[(int) Math.min(PAGE, bits / 64 - (long) page * PAGE)];
    }
  }

  boolean has(long hash) {
    long probe = hash;
    for (int i = 0; i < probes; i++) {
      probe = next(probe);
      long bit = bit(probe);
      if ((pages[page(bit)][word(bit)] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  void add(long hash) {
    long probe = hash;
    for (int i = 0; i < probes; i++) {
      probe = next(probe);
      long bit = bit(probe);
      long[] page = pages[page(bit)];
      long old = page[word(bit)];
      page[word(bit)] = old | 1L << bit;
      set += (~old >>> bit) & 1;
    }
  }

  /** Share of bits that are set. */
  double fill() {
    return set / (double) bits;
  }

  /** Probability that it has a hash that was not added. */
  double falsePositives() {
    return Math.pow(fill(), probes);
  }

  int pages() {
    return pages.length;
  }

  int pageBytes(int page) {
    return pages[page].length * Long.BYTES;
  }

  void write(int page, ByteBuffer out) {
    for (long word : pages[page]) {
      out.putLong(word);
    }
  }

  void read(int page, LongBuffer in) {
    for (long word : pages[page]) {
      set -= Long.bitCount(word);
    }
    in.get(pages[page]);
    for (long word : pages[page]) {
      set += Long.bitCount(word);
    }
  }

  private static long next(long probe) {
    return Words.mixed(probe + 0x9E3779B97F4A7C15L);
  }

  private long bit(long probe) {
    return Math.multiplyHigh(probe >>> 1, bits << 1);
  }

  private static int page(long bit) {
    return (int) (bit / 64 / PAGE);
  }

  private static int word(long bit) {
    return (int) (bit / 64 % PAGE);
  }
}
