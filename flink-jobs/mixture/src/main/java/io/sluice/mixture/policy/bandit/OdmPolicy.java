package io.sluice.mixture.policy.bandit;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.ReportPolicy;
import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;
import java.util.List;

/**
 * Online data mixing (Albalak et al.): a bandit over the domains whose reward is the training loss.
 *
 * <p>With ε_t = min(1/K, √(ln K / (K·t))) at step t, and over the domains that were trained on:
 *
 * <pre>
 *   smoothed-mean         R_i ← s·R_i + (1−s)·exp(l_i)      w_i = (1−Kε_t)·R_i/ΣR + ε_t
 *   smoothed-mean-single  the same R                        w_i = (1−Kε_t)·softmax(ε_{t−1}·R)_i + ε_t
 *   exp3                  R_i ← R_i + l_i/10 / w_i          likewise
 *   paper                 R_i ← s·R_i + (1−s)·l_i / w_i     likewise
 * </pre>
 *
 * <p>The published training code takes {@code smoothed-mean}, which is {@code odm} here; the form
 * that the paper prints is {@code odm-paper}. Until the warm-up is over the weights stay. With one
 * domain ε is 0 and its weight 1.
 */
final class OdmPolicy extends ReportPolicy<OdmPolicy.Settings> {
  static final String NAME = "odm";
  static final String PAPER_NAME = "odm-paper";
  private static final int VERSION = 1;
  private static final double EXP3_SCALE = 0.1;

  /** Above it, exp(loss) of a few domains would overflow. */
  private static final double MAX_LOSS = 600;

  /** How rewards are estimated and turned into weights. */
  enum Update {
    SMOOTHED_MEAN,
    SMOOTHED_MEAN_SINGLE,
    EXP3,
    PAPER
  }

  /**
   * How losses are turned into weights.
   *
   * @param smoothing s, in [0, 1)
   * @param warmUp last step that changes nothing
   */
  record Settings(Update update, double smoothing, long warmUp) {}

  OdmPolicy(Settings settings) {
    super(settings.update == Update.PAPER ? PAPER_NAME : NAME, settings, Metrics.TRAIN_LOSS);
  }

  @Override
  public byte[] initialState(double[] shares) {
    return encode(shares, new double[shares.length], 1.0 / shares.length);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(name(), VERSION, state));
  }

  private final class Updater implements PolicyUpdater {
    private final double[] shares;
    private final double[] rewards;
    private final double[] losses;
    private double lastEpsilon;

    Updater(StateReader reader) {
      this.shares = reader.array();
      this.rewards = reader.array();
      this.losses = new double[shares.length];
      this.lastEpsilon = reader.array()[0];
    }

    @Override
    public void take(Observation observation) {
      if (observation.step() <= settings.warmUp) {
        return;
      }
      observation.means(Metrics.TRAIN_LOSS, losses);
      for (int i = 0; i < losses.length; i++) {
        if (!Double.isNaN(losses[i])) {
          rewards[i] = reward(rewards[i], losses[i], shares[i]);
        }
      }
      estimate();
      lastEpsilon = epsilon(shares.length, observation.step());
      mixIn(lastEpsilon);
    }

    private double reward(double old, double loss, double share) {
      double s = settings.smoothing;
      double weighted = share > 0 ? loss / share : 0;
      return switch (settings.update) {
        case SMOOTHED_MEAN, SMOOTHED_MEAN_SINGLE ->
            s * old + (1 - s) * Math.exp(Math.min(MAX_LOSS, loss));
        case EXP3 -> old + EXP3_SCALE * weighted;
        case PAPER -> s * old + (1 - s) * weighted;
      };
    }

    /** Weights before they are mixed with uniform ones. */
    private void estimate() {
      if (settings.update != Update.SMOOTHED_MEAN) {
        for (int i = 0; i < shares.length; i++) {
          shares[i] = lastEpsilon * rewards[i];
        }
        Shares.softmax(shares, shares);
        return;
      }
      double sum = 0;
      for (double reward : rewards) {
        sum += reward;
      }
      for (int i = 0; i < shares.length; i++) {
        shares[i] = sum > 0 ? rewards[i] / sum : 1.0 / shares.length;
      }
    }

    private void mixIn(double epsilon) {
      int k = shares.length;
      double sum = 0;
      for (int i = 0; i < k; i++) {
        shares[i] = (1 - k * epsilon) * shares[i] + epsilon;
        sum += shares[i];
      }
      for (int i = 0; i < k; i++) {
        shares[i] /= sum;
      }
    }

    @Override
    public double[] shares() {
      return shares;
    }

    @Override
    public double[] scores() {
      return rewards;
    }

    @Override
    public byte[] state() {
      return encode(shares, rewards, lastEpsilon);
    }
  }

  private static double epsilon(int k, long step) {
    return Math.min(1.0 / k, Math.sqrt(Math.log(k) / ((double) k * step)));
  }

  private static byte[] encode(double[] shares, double[] rewards, double epsilon) {
    return StateWriter.ofVersion(VERSION).put(shares).put(rewards).put(epsilon).bytes();
  }

  /** Reads {@link Settings} for the published code's forms. */
  public record Factory() implements PolicyFactory {
    private static final long WARM_UP = 2000;

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      Update update =
          switch (read.choice(
              "update", "smoothed-mean", "smoothed-mean", "smoothed-mean-single", "exp3")) {
            case "exp3" -> Update.EXP3;
            case "smoothed-mean-single" -> Update.SMOOTHED_MEAN_SINGLE;
            default -> Update.SMOOTHED_MEAN;
          };
      return policy(update, read, WARM_UP);
    }
  }

  /** Reads {@link Settings} for the form that the paper prints. */
  public record PaperFactory() implements PolicyFactory {
    @Override
    public String name() {
      return PAPER_NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      return policy(Update.PAPER, read, 0);
    }
  }

  private static OdmPolicy policy(Update update, PolicySettings read, long warmUp) {
    return new OdmPolicy(
        new Settings(
            update,
            read.number("smoothing", 0.9, 0, Math.nextDown(1.0)),
            read.whole("warm-up", warmUp, 0, 1L << 52)));
  }
}
