package io.sluice.lab.reproduce.claim;

import java.util.stream.IntStream;

/**
 * How one number went in a run, such as the weight of a domain.
 *
 * @param steps after which it was measured, ascending
 * @param values finite, as many
 */
public record Course(double[] steps, double[] values) {
  /** Most points of a course. */
  public static final int MOST_POINTS = 100_000;

  /** Copies and checks the arrays. */
  public Course {
    steps = steps.clone();
    values = values.clone();
    double[] s = steps;
    double[] v = values;
    boolean sound =
        s.length == v.length
            && s.length <= MOST_POINTS
            && IntStream.range(0, s.length)
                .allMatch(
                    i ->
                        Double.isFinite(s[i])
                            && Double.isFinite(v[i])
                            && (i == 0 || s[i - 1] < s[i]));
    if (!sound) {
      throw new IllegalArgumentException(
          "a course must be finite values at ascending steps, at most "
              + MOST_POINTS
              + ": "
              + s.length
              + " steps, "
              + v.length
              + " values");
    }
  }
}
