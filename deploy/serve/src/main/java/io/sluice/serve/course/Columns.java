package io.sluice.serve.course;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Which domains have a column of their own, and how many are together in the one after those.
 *
 * @param shown places of those domains, in the run's order
 * @param others places of all others
 */
public record Columns(int[] shown, int[] others) {
  /** What the domains with a column have most of. */
  public enum By {
    WEIGHT,
    CHANGE,
    GAP;

    /**
     * That of a name.
     *
     * @throws IllegalArgumentException listing the known ones
     */
    public static By of(String name) {
      for (By by : values()) {
        if (by.name().toLowerCase(Locale.ROOT).equals(name)) {
          return by;
        }
      }
      throw new IllegalArgumentException("by must be one of weight, change, gap: '" + name + "'");
    }
  }

  /** The domains with the greatest values, at most so many; of equal ones the first. */
  public static Columns greatest(double[] values, int most) {
    int[] shown =
        IntStream.range(0, values.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -values[i]))
            .limit(most)
            .mapToInt(i -> i)
            .sorted()
            .toArray();
    int[] others =
        IntStream.range(0, values.length).filter(i -> Arrays.binarySearch(shown, i) < 0).toArray();
    return new Columns(shown, others);
  }

  /** How many columns there are. */
  public int count() {
    return shown.length + (others.length > 0 ? 1 : 0);
  }

  /** How the values of the domains that share a column become one. */
  public enum Rest {
    SUM,
    MEAN
  }

  /** The values of a row, a column each; what a row has none of is missing. */
  public float[] of(float[] values, float missing, Rest rest) {
    float[] columns = new float[count()];
    for (int i = 0; i < shown.length; i++) {
      columns[i] = shown[i] < values.length ? values[shown[i]] : missing;
    }
    if (others.length > 0) {
      double sum = 0;
      int known = 0;
      for (int other : others) {
        if (other < values.length && !Float.isNaN(values[other])) {
          sum += values[other];
          known++;
        }
      }
      double one = rest == Rest.SUM ? sum : sum / known;
      columns[shown.length] = (float) one;
    }
    return columns;
  }

  /** How far each domain's value has come from its first. */
  public static double[] changes(List<Series.Row> rows, int domains) {
    double[] changes = new double[domains];
    if (!rows.isEmpty()) {
      float[] first = rows.get(0).values();
      float[] last = rows.get(rows.size() - 1).values();
      for (int i = 0; i < domains; i++) {
        changes[i] = Math.abs((i < last.length ? last[i] : 0) - (i < first.length ? first[i] : 0));
      }
    }
    return changes;
  }
}
