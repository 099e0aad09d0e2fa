package io.sluice.models.text;

import java.util.Locale;

/** How one vector is made of those of a text's tokens. */
public enum Pooling {
  /** Their mean. */
  MEAN,
  /** The first token's. */
  CLS;

  /** What a directory calls it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Adds to a vector of zeros.
   *
   * @param values [tokens, out.length]
   */
  void pool(float[] values, int tokens, float[] out) {
    int counted = this == CLS ? 1 : tokens;
    double[] sums = new double[out.length];
    for (int i = 0; i < counted * out.length; i++) {
      sums[i % out.length] += values[i];
    }
    for (int i = 0; i < out.length; i++) {
      out[i] = (float) (sums[i] / counted);
    }
  }
}
