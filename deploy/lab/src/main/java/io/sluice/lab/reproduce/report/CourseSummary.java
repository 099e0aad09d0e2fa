package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.Course;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A course over seeds: at each step the mean, the least and the greatest of the seeds that were
 * measured there.
 */
record CourseSummary(double[] steps, double[] mean, double[] low, double[] high) {
  static CourseSummary of(Collection<Course> seeds) {
    SortedMap<Double, DoubleSummaryStatistics> byStep = new TreeMap<>();
    for (Course course : seeds) {
      for (int i = 0; i < course.steps().length; i++) {
        byStep
            .computeIfAbsent(course.steps()[i], step -> new DoubleSummaryStatistics())
            .accept(course.values()[i]);
      }
    }
    return new CourseSummary(
        byStep.keySet().stream().mapToDouble(step -> step).toArray(),
        byStep.values().stream().mapToDouble(DoubleSummaryStatistics::getAverage).toArray(),
        byStep.values().stream().mapToDouble(DoubleSummaryStatistics::getMin).toArray(),
        byStep.values().stream().mapToDouble(DoubleSummaryStatistics::getMax).toArray());
  }

  /** The same with about so many steps at most, the last among them. */
  CourseSummary thinned(int most) {
    int stride = Math.max(1, (steps.length + most - 1) / most);
    int[] kept =
        IntStream.range(0, steps.length)
            .filter(i -> i % stride == 0 || i == steps.length - 1)
            .toArray();
    return new CourseSummary(at(steps, kept), at(mean, kept), at(low, kept), at(high, kept));
  }

  private static double[] at(double[] values, int[] places) {
    return IntStream.of(places).mapToDouble(i -> values[i]).toArray();
  }
}
