package io.sluice.lab.bench.measure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Median, least and greatest of repeated measurements. */
public record Spread(double median, double low, double high) {
  /** Of at least one value. */
  public static Spread of(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Spread(quantile(sorted, 0.5), sorted[0], sorted[sorted.length - 1]);
  }

  /**
   * The value that a share of all is at or below, between the two nearest where none is exact.
   *
   * @param sorted ascending, at least one
   * @param share in [0, 1]
   */
  public static double quantile(double[] sorted, double share) {
    if (sorted.length == 0 || !(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "a quantile needs values and a share in [0, 1]: "
              + share
              + " of "
              + Arrays.toString(sorted));
    }
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** Median and range: {@code 181 (174–190)}. */
  public String text(int decimals) {
    String number = "%." + decimals + "f";
    return String.format(
        Locale.ROOT, number + " (" + number + "–" + number + ")", median, low, high);
  }
}
