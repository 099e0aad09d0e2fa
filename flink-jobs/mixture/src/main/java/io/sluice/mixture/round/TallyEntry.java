package io.sluice.mixture.round;

import java.util.List;

/** What is kept of one metric of a step. */
sealed interface TallyEntry {
  /** Name of the metric. */
  String metric();

  /** A report of an attempt that is not complete. */
  record Open(Report report) implements TallyEntry {
    @Override
    public String metric() {
      return report.metric();
    }
  }

  /** The attempt that is complete, its ranks merged. The arrays are not copied. */
  record Won(String metric, String attempt, int worldSize, double[] sums, long[] counts)
      implements TallyEntry {
    /** Merges an attempt's reports, in the order of their ranks. */
    static Won of(List<Report> ranks) {
      Report first = ranks.get(0);
      double[] sums = new double[first.sums().length];
      long[] counts = new long[sums.length];
      for (Report report : ranks) {
        for (int i = 0; i < sums.length; i++) {
          sums[i] += report.sums()[i];
          counts[i] += report.counts()[i];
        }
      }
      return new Won(first.metric(), first.attempt(), first.worldSize(), sums, counts);
    }
  }
}
