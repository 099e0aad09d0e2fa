package io.sluice.refine.perplexity;

/**
 * What is taken off the counts of n-grams of one length, for what was never seen: Chen and Goodman
 * (1998), "An Empirical Study of Smoothing Techniques for Language Modeling", section 3, equation
 * 26. With {@code n_i} n-grams seen {@code i} times, and {@code Y = n_1 / (n_1 + 2 n_2)}, it is
 * {@code i - (i + 1) Y n_(i+1) / n_i} off a count of 1, of 2, and of 3 and more.
 */
record Discounts(double one, double two, double more) {
  /** For counts that have too few of a kind, or are not those of a language. */
  private static final Discounts FALLBACK = new Discounts(0.5, 1, 1.5);

  /**
   * Those for counts of counts.
   *
   * @param seen n-grams seen 1 to 4 times, at places 1 to 4
   */
  static Discounts of(long[] seen) {
    double y = seen[1] / (seen[1] + 2.0 * seen[2]);
    Discounts found =
        new Discounts(
            1 - 2 * y * seen[2] / seen[1],
            2 - 3 * y * seen[3] / seen[2],
            3 - 4 * y * seen[4] / seen[3]);
    return fits(found.one, 1) && fits(found.two, 2) && fits(found.more, 3) ? found : FALLBACK;
  }

  /** False for what is no number, too. */
  private static boolean fits(double discount, int count) {
    return discount > 0 && discount < count;
  }

  /** A count without what is taken off it; 0 of 0. */
  double left(int count) {
    return switch (count) {
      case 0 -> 0;
      case 1 -> 1 - one;
      case 2 -> 2 - two;
      default -> count - more;
    };
  }
}
