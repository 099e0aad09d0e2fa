package io.sluice.cli.simulate;

import io.sluice.cli.plot.MixtureCourse;
import io.sluice.mixture.simulate.Trajectory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  /** As a figure draws it: the weights of a point governed the batches since the point before. */
  MixtureCourse drawn() {
    double[] batches = points.stream().mapToDouble(Trajectory.Point::batch).toArray();
    return new MixtureCourse(
        label,
        batches,
        points.stream().skip(1).map(Trajectory.Point::shares).toList(),
        batches,
        points.stream().map(Trajectory.Point::losses).toList());
  }

  double[] lastShares() {
    return points.get(points.size() - 1).shares();
  }
}
