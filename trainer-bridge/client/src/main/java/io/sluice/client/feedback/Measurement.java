package io.sluice.client.feedback;

import io.sluice.client.error.InvalidFeedbackException;
import io.sluice.client.run.RunInfo;
import io.sluice.mixture.policy.Metrics;
import java.util.List;
import java.util.Map;

/**
 * What one rank measured at one step, domain by domain. Sums and counts rather than means, so that
 * ranks merge exactly.
 *
 * @param step batches of the stream that the model has been trained on; 0 before the first
 * @param trainerStep the trainer's own counter; decides nothing
 * @param attempt nonce of the measurement, shared by all ranks; measuring a step again takes a new
 *     one, sending the same values again does not
 * @param metric what was measured, such as {@link #EVAL_LOSS}
 * @param domains sums by domain name
 */
public record Measurement(
    long step, long trainerStep, String attempt, String metric, Map<String, Total> domains) {
  /** Sum of the negative log-likelihood in nats, and count of tokens. */
  public static final String EVAL_LOSS = Metrics.EVAL_LOSS;

  /**
   * A sum over {@code count} observations.
   *
   * @param sum finite
   * @param count at least 1
   */
  public record Total(double sum, long count) {}

  /** Copies the sums; {@link FeedbackReporter#publish} checks them. */
  public Measurement {
    domains = DomainTotals.copyOf(domains);
  }

  DomainTotals totals() {
    return (DomainTotals) domains;
  }

  /** Held-out losses: sums of the negative log-likelihood in nats, counts of tokens. */
  public static Measurement evalLoss(
      long step, long trainerStep, String attempt, Map<String, Total> domains) {
    return new Measurement(step, trainerStep, attempt, EVAL_LOSS, domains);
  }

  /**
   * A measurement of every domain of a run, which is quickest to report.
   *
   * @param sums one for each domain, in the order of the run
   * @param counts likewise
   * @throws InvalidFeedbackException if there are more or fewer
   */
  public static Measurement ofAll(
      RunInfo run, long step, String attempt, String metric, double[] sums, long[] counts) {
    List<String> names = run.spec().getDomains();
    if (sums.length != names.size() || counts.length != names.size()) {
      throw new InvalidFeedbackException(
          "sums and counts must have one value for each of the "
              + names.size()
              + " domains of run "
              + run.runId()
              + ": "
              + sums.length
              + " and "
              + counts.length);
    }
    return new Measurement(step, step, attempt, metric, DomainTotals.of(names, sums, counts));
  }
}
