package io.sluice.mixture.plan;

/** SplitMix64, written out because the stream depends on every bit of it. */
public final class SplitMix {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long state;

  private SplitMix(long state) {
    this.state = state;
  }

  /** A generator whose sequence is fixed by the key's words, in order. */
  public static SplitMix keyed(long... key) {
    long state = 0;
    for (long word : key) {
      state = mix(state * GOLDEN + word + GOLDEN);
    }
    return new SplitMix(state);
  }

  /** An integer in [0, bound), from the generator's upper 32 bits. */
  int below(int bound) {
    state += GOLDEN;
    return (int) (((mix(state) >>> 32) * bound) >>> 32);
  }

  /** Fisher–Yates from the end, in place. */
  public void shuffle(int[] values) {
    for (int i = values.length - 1; i > 0; i--) {
      int j = below(i + 1);
      int swapped = values[i];
      values[i] = values[j];
      values[j] = swapped;
    }
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
