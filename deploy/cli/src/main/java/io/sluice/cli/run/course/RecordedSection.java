package io.sluice.cli.run.course;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunHistory;
import io.sluice.mixture.plan.Weights;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * The weights of a run as settings of the policy {@code recorded}, which repeats them. Its rounds
 * are the run's: weights that came into force between two, by hand or as a run was rewound, come
 * with the nearest.
 *
 * @param domains in the order of the weights
 * @param batches that the run has granted
 * @param every batches between its rounds; 0 if it has none
 * @param course the step whose round decided on weights, to the weights; the first is 0
 * @param mean of the weights over all batches
 */
public record RecordedSection(
    List<String> domains, long batches, long every, TreeMap<Long, Weights> course, double[] mean) {
  /**
   * The weights of a run.
   *
   * @throws BadInputException if it has granted no batch
   */
  public static RecordedSection of(RunHistory history) {
    List<RunHistory.Version> versions = RunCourse.standing(history.versions());
    if (versions.isEmpty()) {
      throw new BadInputException("run '" + history.name() + "' has granted no batch yet");
    }
    return of(
        history.spec().getDomains(),
        versions,
        history.state().position().granted(),
        history.spec().getUpdateEvery(),
        history.spec().getLag());
  }

  static RecordedSection of(
      List<String> domains, List<RunHistory.Version> versions, long granted, long every, long lag) {
    TreeMap<Long, Weights> course = new TreeMap<>();
    double[] mean = new double[domains.size()];
    double all = granted - versions.get(0).firstBatch() + 1;
    for (int n = 0; n < versions.size(); n++) {
      RunHistory.Version version = versions.get(n);
      Weights weights = version.weights();
      course.put(n == 0 ? 0 : Math.max(0, version.firstBatch() - 1 - lag), weights);
      long next = n + 1 < versions.size() ? versions.get(n + 1).firstBatch() : granted + 1;
      for (int i = 0; i < weights.size(); i++) {
        mean[i] += weights.share(i) * (next - version.firstBatch()) / all;
      }
    }
    return new RecordedSection(domains, granted, every, course, mean);
  }

  /**
   * The course as if the run had so many batches.
   *
   * @param steps at least 1
   * @throws BadInputException if it has less
   */
  public Map<String, Object> stretched(long steps) {
    if (steps < 1) {
      throw new BadInputException("--steps must be at least 1: " + steps);
    }
    double ratio = (double) steps / batches;
    long rounds = Math.max(1, Math.round((every == 0 ? distance() : every) * ratio));
    TreeMap<Long, Weights> at = new TreeMap<>();
    course.forEach((step, weights) -> at.put(Math.round(step * ratio / rounds) * rounds, weights));
    Map<String, Object> written = new LinkedHashMap<>();
    at.forEach((step, weights) -> written.put(Long.toString(step), text(weights.shares())));
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("every", rounds);
    settings.put("at", written);
    return settings;
  }

  /** The mean for the whole of a run. */
  public Map<String, Object> average() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("at", Map.of("0", text(mean)));
    settings.put("use", "average");
    return settings;
  }

  /** What rounds must be apart to be at every change. */
  private long distance() {
    BigInteger divisor = BigInteger.ZERO;
    for (long step : course.keySet()) {
      divisor = divisor.gcd(BigInteger.valueOf(step));
    }
    return divisor.signum() == 0 ? batches : divisor.longValueExact();
  }

  private String text(double[] shares) {
    StringJoiner text = new StringJoiner(" ");
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] > 0) {
        text.add(domains.get(i) + "=" + shares[i]);
      }
    }
    return text.toString();
  }
}
