package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.ReportPolicy;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.update.ProbeSettings;
import io.sluice.mixture.policy.update.ScoredUpdater;
import io.sluice.mixture.policy.update.Scores;
import java.util.List;

/**
 * DoGE's domain weights (Fan, Pagliardini, Jaggi): domains whose gradient helps the target domains
 * gain weight.
 *
 * <p>At every step, with the inner product a_i of a domain's gradient and the sum of the targets',
 * the learning rate lr and the mean gradient norm n:
 *
 * <pre>
 *   s_i = clip(lr · a_i / (n + 1e-6), lr · low, lr · high)
 *   w_i ← (1 − c) · w_i · exp(s_i / mu) / Z + c / k
 * </pre>
 *
 * <p>and the result is the running mean of w, without the initial weights. Known differences to the
 * published code: there the weights scale the gradients of a proxy model, here they mix the stream,
 * by w itself or with {@code result: average} by the running mean. A domain without a measurement
 * keeps its last score; before its first it neither gains nor loses. Without a learning rate or any
 * gradient norm the whole update is skipped.
 */
final class DogePolicy extends ReportPolicy<DogePolicy.Settings> {
  static final String NAME = "doge";
  private static final int VERSION = 1;
  private static final double NORM_OFFSET = 1e-6;

  /**
   * How alignments are turned into weights.
   *
   * @param low least score, in learning rates
   * @param high greatest score, in learning rates
   * @param average whether the stream is mixed by the running mean
   * @param target domains whose gradient the others' are compared with
   */
  record Settings(
      double mu, double floor, double low, double high, boolean average, List<String> target) {}

  DogePolicy(Settings settings) {
    super(NAME, settings, Metrics.ALIGNMENT, Metrics.GRADIENT_NORM, Metrics.LEARNING_RATE);
  }

  @Override
  public List<String> targetDomains(String metric) {
    return metric.equals(Metrics.ALIGNMENT) ? settings.target : List.of();
  }

  @Override
  public byte[] initialState(double[] shares) {
    double[] scores = Scores.unknown(shares.length);
    return ScoredUpdater.start(VERSION, shares, settings.floor, scores, false);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(NAME, VERSION, state));
  }

  private final class Updater extends ScoredUpdater {
    private final double[] measured = new double[scores.length];
    private final double[] filled = scores.clone();

    Updater(StateReader state) {
      super(VERSION, state, settings.floor, settings.average);
    }

    @Override
    public void take(Observation observation) {
      weights.open();
      observation.means(Metrics.GRADIENT_NORM, measured);
      double norm = meanOfMeasured(measured);
      observation.means(Metrics.LEARNING_RATE, measured);
      double rate = meanOfMeasured(measured);
      System.arraycopy(scores, 0, filled, 0, scores.length);
      if (Double.isNaN(norm) || Double.isNaN(rate)) {
        return;
      }
      observation.means(Metrics.ALIGNMENT, measured);
      for (int i = 0; i < scores.length; i++) {
        if (!Double.isNaN(measured[i])) {
          double score = rate * measured[i] / (norm + NORM_OFFSET);
          scores[i] = Math.max(rate * settings.low, Math.min(rate * settings.high, score));
        }
        filled[i] = scores[i];
      }
      Scores.fillNeutral(filled, weights.shares());
      step(1 / settings.mu, filled);
    }

    @Override
    public double[] scores() {
      return filled;
    }
  }

  private static double meanOfMeasured(double[] values) {
    double sum = 0;
    int count = 0;
    for (double value : values) {
      if (!Double.isNaN(value)) {
        sum += value;
        count++;
      }
    }
    return sum / count;
  }

  /** Reads {@link Settings}. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      ProbeSettings.require(read);
      double low = read.number("low", 0, -1e9, 1e9);
      return new DogePolicy(
          new Settings(
              read.number("mu", 0.05, 1e-9, 1e9),
              read.number("floor", 0, 0, 1),
              low,
              read.number("high", Math.max(low, 5), low, 1e9),
              read.choice("result", "current", "current", "average").equals("average"),
              read.names("target")));
    }
  }
}
