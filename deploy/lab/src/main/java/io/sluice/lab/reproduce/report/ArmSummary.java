package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.Results;
import io.sluice.lab.reproduce.claim.statistics.Interval;
import io.sluice.lab.reproduce.claim.statistics.Proportion;
import io.sluice.lab.reproduce.claim.statistics.Sample;
import io.sluice.lab.reproduce.claim.statistics.StudentTest;
import java.util.SortedMap;

/**
 * A measure of an arm over its seeds, in words: the mean, and how far it is known. An interval is
 * Student's, but for a share of questions that were answered: {@code accuracy/NAME}, with as many
 * as {@code questions/NAME} says. That is Wilson's, over the questions of one seed, since all seeds
 * are asked the same ones.
 */
final class ArmSummary {
  private static final double CONFIDENCE = 0.95;
  private static final String ACCURACY = "accuracy/";
  private static final String QUESTIONS = "questions/";

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
      return "–";
    }
    Sample sample = Sample.of(values.values().stream().mapToDouble(v -> v).toArray());
    String mean = Numbers.plain(sample.mean());
    double questions = questions(arm, measure);
    if (questions >= 1 && sample.mean() >= 0 && sample.mean() <= 1) {
      Interval interval = Proportion.wilson(sample.mean(), (long) questions, CONFIDENCE);
      return mean
          + " ("
          + Numbers.plain(interval.low())
          + " to "
          + Numbers.plain(interval.high())
          + ")";
    }
    if (sample.size() < 2) {
      return mean;
    }
    Interval interval = StudentTest.of(sample).interval(CONFIDENCE);
    return Numbers.around(sample.mean(), (interval.high() - interval.low()) / 2);
  }

  /** How many seeds of an arm have a measure. */
  int seeds(String arm, String measure) {
    return results.values(experiment, arm, measure).size();
  }

  private double questions(String arm, String measure) {
    if (!measure.startsWith(ACCURACY)) {
      return 0;
    }
    String of = QUESTIONS + measure.substring(ACCURACY.length());
    return results.values(experiment, arm, of).values().stream()
        .mapToDouble(v -> v)
        .min()
        .orElse(0);
  }
}
