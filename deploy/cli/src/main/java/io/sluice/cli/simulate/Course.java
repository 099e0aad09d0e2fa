package io.sluice.cli.simulate;

import io.sluice.mixture.simulate.Trajectory;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The weights and losses of one policy over its rounds, as files and figures show them. */
record Course(String label, List<Trajectory.Point> points) {
  Course {
    points = List.copyOf(points);
  }

  /** Values of domains by their names. */
  static Map<String, Double> byDomain(List<String> domains, double[] values) {
    Map<String, Double> byDomain = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      byDomain.put(domains.get(i), values[i]);
    }
    return byDomain;
  }

  /** The places of the greatest values above a limit, at most so many, in their own order. */
  static int[] greatest(double[] values, double above, int most) {
    return IntStream.range(0, values.length)
        .filter(i -> values[i] > above)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -values[i]))
        .limit(most)
        .mapToInt(i -> i)
        .sorted()
        .toArray();
  }

  double[] lastShares() {
    return points.get(points.size() - 1).shares();
  }
}
