package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.ReportPolicy;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.update.ScoredUpdater;
import io.sluice.mixture.policy.update.Scores;
import java.util.Arrays;
import java.util.List;

/**
 * DoReMi's domain weights (Xie et al.): group distributionally robust optimisation on the loss
 * above a reference model's.
 *
 * <p>At every step, with s_i the mean over the domain's tokens of max(excess loss, 0):
 *
 * <pre>
 *   w_i ← (1 − c) · w_i · exp(eta · s_i) / Z + c / k
 * </pre>
 *
 * <p>and the result is the running mean of w, the initial weights included. Known differences to
 * the published code: there the weights scale the loss of a proxy model and never its sampling,
 * here they mix the stream, by w itself or with {@code result: average} by the running mean. The
 * code starts every score at ln(vocabulary), which makes a domain that is missing from the first
 * batches take nearly all weight; that is done only if {@code vocabulary} is given, otherwise
 * scores start at 0. A domain without a measurement keeps its last score.
 */
final class DoremiPolicy extends ReportPolicy<DoremiPolicy.Settings> {
  static final String NAME = "doremi";
  private static final int VERSION = 1;

  /**
   * How excess losses are turned into weights.
   *
   * @param initialScore of a domain before it is measured
   * @param average whether the stream is mixed by the running mean
   */
  record Settings(double eta, double floor, double initialScore, boolean average) {}

  DoremiPolicy(Settings settings) {
    super(NAME, settings, Metrics.EXCESS_LOSS);
  }

  @Override
  public byte[] initialState(double[] shares) {
    double[] scores = new double[shares.length];
    Arrays.fill(scores, settings.initialScore);
    return ScoredUpdater.start(VERSION, shares, settings.floor, scores, true);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(NAME, VERSION, state));
  }

  private final class Updater extends ScoredUpdater {
    private final double[] measured = new double[scores.length];

    Updater(StateReader state) {
      super(VERSION, state, settings.floor, settings.average);
    }

    @Override
    public void take(Observation observation) {
      weights.open();
      observation.means(Metrics.EXCESS_LOSS, measured);
      for (int i = 0; i < scores.length; i++) {
        scores[i] = Double.isNaN(measured[i]) ? scores[i] : measured[i];
      }
      step(settings.eta, scores);
    }

    /** The mean of the weights, if that is the result, goes on. */
    @Override
    public String note() {
      return !settings.average && Scores.areZero(scores)
          ? "no domain's loss is above the reference model's: " + weights.rest()
          : "";
    }
  }

  /** Reads {@link Settings}. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      return new DoremiPolicy(
          new Settings(
              read.number("eta", 1, 0, 1000),
              read.number("floor", 1e-4, 0, 1),
              Math.log(read.number("vocabulary", 1, 1, 1e9)),
              read.choice("result", "current", "current", "average").equals("average")));
    }
  }
}
