package io.sluice.lab.reproduce.claim;

import io.sluice.lab.reproduce.claim.statistics.Bootstrap;
import io.sluice.lab.reproduce.claim.statistics.Interval;
import io.sluice.lab.reproduce.claim.statistics.Sample;
import io.sluice.lab.reproduce.claim.statistics.StudentTest;

/**
 * What the differences of a claim say, in the measure's unit.
 *
 * @param pairs how many there are, two or more
 * @param interval of Student's t, at 95 %
 * @param bootstrap percentile interval, at 95 %
 * @param p two-sided, that the mean lies where neither the claim nor its contrary would hold
 * @param oneSided p that it does not lie where it is claimed
 * @param adjusted p after Holm's correction over the paper's claims
 */
public record Evidence(
    int pairs,
    double mean,
    double deviation,
    Interval interval,
    Interval bootstrap,
    double p,
    double oneSided,
    double adjusted) {
  static final double CONFIDENCE = 0.95;

  static Evidence of(Claim claim, Sample differences, Bootstrap bootstrap) {
    StudentTest favours = StudentTest.of(favours(claim, differences));
    double p = favours.twoSided();
    return new Evidence(
        differences.size(),
        differences.mean(),
        differences.deviation(),
        StudentTest.of(differences).interval(CONFIDENCE),
        bootstrap.interval(differences, CONFIDENCE),
        p,
        favours.greater(),
        p);
  }

  Evidence adjusted(double corrected) {
    return new Evidence(pairs, mean, deviation, interval, bootstrap, p, oneSided, corrected);
  }

  private static Sample favours(Claim claim, Sample differences) {
    double[] values = differences.values();
    for (int i = 0; i < values.length; i++) {
      values[i] = claim.direction().favour(values[i], claim.leastEffect());
    }
    return Sample.of(values);
  }
}
