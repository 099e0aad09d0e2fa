package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.Results;
import io.sluice.lab.reproduce.claim.statistics.Interval;
import io.sluice.lab.reproduce.claim.statistics.Sample;
import io.sluice.lab.reproduce.claim.statistics.StudentTest;
import java.util.SortedMap;

/** A measure of an arm over its seeds, in words: the mean, and Student's interval. */
final class ArmSummary {
  /** Stands for a measure that nothing has. */
  static final String NONE = "–";

  private static final double CONFIDENCE = 0.95;

  private final Results results;
  private final String experiment;

  ArmSummary(Results results, String experiment) {
    this.results = results;
    this.experiment = experiment;
  }

  /** Such as {@code 2.681 ± 0.012}, or {@code –} if no seed has it. */
  String cell(String arm, String measure) {
    SortedMap<Long, Double> values = results.values(experiment, arm, measure);
    if (values.isEmpty()) {
      return NONE;
    }
    Sample sample = Sample.of(values.values().stream().mapToDouble(v -> v).toArray());
    if (sample.size() < 2) {
      return Numbers.plain(sample.mean());
    }
    Interval interval = StudentTest.of(sample).interval(CONFIDENCE);
    return Numbers.around(sample.mean(), (interval.high() - interval.low()) / 2);
  }

  /** What a measure would be without learning, the mean over arms and seeds. */
  String unlearned(String measure) {
    double[] values =
        results.arms(experiment).keySet().stream()
            .flatMap(
                arm ->
                    results.values(experiment, arm, Results.UNLEARNED + measure).values().stream())
            .mapToDouble(v -> v)
            .toArray();
    return values.length == 0 ? NONE : Numbers.plain(Sample.of(values).mean());
  }

  /** How many seeds of an arm have a measure. */
  int seeds(String arm, String measure) {
    return results.values(experiment, arm, measure).size();
  }
}
