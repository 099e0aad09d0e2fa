package io.sluice.mixture.policy.bandit;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;
import io.sluice.mixture.policy.UpdatingPolicy;
import io.sluice.mixture.policy.update.Scores;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * DUMP (Wang, Cui, Li, Wan, Zhao: Automated Distribution-Level Curriculum Learning for RL-based LLM
 * Post-training, arXiv 2504.09710): domains that teach much gain weight, and so do those that were
 * trained on little.
 *
 * <p>Its section 3.3, with L_d the mean of a domain's rewards in the last rounds, and n_d of n
 * sequences trained on so far:
 *
 * <pre>
 *   UCB_d = L_d + exploration · √(2 ln(n + 1) / (n_d + 1))
 *   w = softmax(UCB / temperature)
 * </pre>
 *
 * <p>Under {@code reward: value} a reward is the metric itself, in the paper the mean absolute
 * advantage. Under {@code reward: decline} it is what the metric fell by since the round before;
 * since that has no scale of its own, as standardised advantages have, each L_d is divided by the
 * greatest |L|.
 *
 * <p>Known differences to the paper: the window is of rounds, not of 300 outputs; n_d are the
 * sequences that the decided weights stand for, before smoothing, masks and a lag; the published
 * code's temperature of 0.1 is the default for values alone, since declines, the greatest of which
 * is 1, differ by more than absolute advantages do. A domain without a reward in the window neither
 * gains nor loses by it. While no domain has one, the weights stay. A uniform floor can be set.
 */
final class UcbPolicy extends UpdatingPolicy {
  static final String NAME = "ucb";
  private static final int VERSION = 1;
  private static final double[] NONE = {};

  /** Beyond it, sums of a window could overflow. */
  private static final double MOST = 1e100;

  private final Settings settings;
  private final @Nullable Cadence cadence;

  /**
   * How measurements become weights.
   *
   * @param metric of domains
   * @param declines whether rewards are what it falls by
   * @param window rounds that L_d is the mean of
   */
  record Settings(
      String metric,
      boolean declines,
      int window,
      double exploration,
      double temperature,
      double floor) {}

  UcbPolicy(Settings settings, @Nullable Cadence cadence) {
    this.settings = settings;
    this.cadence = cadence;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(settings.metric);
  }

  /** A decline needs something to begin with. */
  @Override
  public boolean startsFromStepZero() {
    return settings.declines;
  }

  @Override
  public Policy inRun(Cadence run) {
    return new UcbPolicy(settings, run);
  }

  @Override
  public byte[] initialState(double[] shares) {
    int k = shares.length;
    return encode(-1, shares, new double[k], Scores.unknown(k), NONE);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(NAME, VERSION, state));
  }

  private static byte[] encode(
      long step, double[] shares, double[] trained, double[] before, double[] rewards) {
    return StateWriter.ofVersion(VERSION)
        .put(step)
        .put(shares)
        .put(trained)
        .put(before)
        .put(rewards)
        .bytes();
  }

  /** Sequences between a report and the one before it, at step −1 for the first. */
  private double sequences(long before, long step) {
    Cadence run = Cadence.require(cadence, NAME);
    long first = settings.declines ? step : Math.max(0, step - run.every());
    return run.sequencesIn(step) - run.sequencesIn(before < 0 ? first : before);
  }

  private final class Updater implements PolicyUpdater {
    private final double[] shares;
    private final double[] trained;
    private final double[] before;
    private double[] rewards;
    private double[] scores = NONE;
    private long step;

    Updater(StateReader state) {
      step = state.number();
      shares = state.array();
      trained = state.array();
      before = state.array();
      rewards = state.array();
    }

    @Override
    public void take(Observation observation) {
      double sequences = sequences(step, observation.step());
      step = observation.step();
      for (int d = 0; d < shares.length; d++) {
        trained[d] += sequences * shares[d];
      }
      keep(rewards(observation.means(settings.metric)));
      scores = learned();
      if (Arrays.stream(scores).allMatch(Double::isNaN)) {
        scores = NONE;
        return;
      }
      Scores.fillNeutral(scores, shares);
      explore();
      decide();
    }

    /** What the domains earned in a round; NaN where nothing was measured. */
    private double[] rewards(double[] measured) {
      double[] earned = measured.clone();
      for (int d = 0; settings.declines && d < earned.length; d++) {
        earned[d] = before[d] - measured[d];
        before[d] = Double.isNaN(measured[d]) ? before[d] : measured[d];
      }
      for (int d = 0; d < earned.length; d++) {
        earned[d] = Math.max(-MOST, Math.min(MOST, earned[d]));
      }
      return earned;
    }

    /** Adds a round to the window. */
    private void keep(double[] earned) {
      int k = earned.length;
      int kept = Math.min(rewards.length / k, settings.window - 1) * k;
      double[] longer = new double[kept + k];
      System.arraycopy(rewards, rewards.length - kept, longer, 0, kept);
      System.arraycopy(earned, 0, longer, kept, k);
      rewards = longer;
    }

    /** L of each domain; NaN for one without a reward. */
    private double[] learned() {
      int k = shares.length;
      double[] means = new double[k];
      double greatest = 0;
      for (int d = 0; d < k; d++) {
        double sum = 0;
        int count = 0;
        for (int i = d; i < rewards.length; i += k) {
          if (!Double.isNaN(rewards[i])) {
            sum += rewards[i];
            count++;
          }
        }
        means[d] = sum / count;
        greatest = Math.max(greatest, count == 0 ? 0 : Math.abs(means[d]));
      }
      for (int d = 0; settings.declines && greatest > 0 && d < k; d++) {
        means[d] /= greatest;
      }
      return means;
    }

    private void explore() {
      double total = 0;
      for (double count : trained) {
        total += count;
      }
      for (int d = 0; d < scores.length; d++) {
        scores[d] += settings.exploration * Math.sqrt(2 * Math.log(total + 1) / (trained[d] + 1));
      }
    }

    private void decide() {
      for (int d = 0; d < shares.length; d++) {
        shares[d] = scores[d] / settings.temperature;
      }
      Shares.softmax(shares, shares);
      Shares.mixIn(settings.floor, shares);
    }

    @Override
    public double[] shares() {
      return shares;
    }

    @Override
    public double[] scores() {
      return scores;
    }

    @Override
    public byte[] state() {
      return encode(step, shares, trained, before, rewards);
    }
  }

  /** Reads {@link Settings}. */
  public record Factory() implements PolicyFactory {
    private static final int LONGEST = 64;
    private static final double LEAST_TEMPERATURE = 1e-6;
    private static final Set<String> NOT_OF_DOMAINS =
        Set.of(Metrics.GRADIENT_PRODUCT, Metrics.GRADIENT_MOMENT, Metrics.PROPOSED_WEIGHT);

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      boolean declines = read.choice("reward", "decline", "decline", "value").equals("decline");
      return new UcbPolicy(
          new Settings(
              metric(read),
              declines,
              (int) read.whole("window", 4, 1, LONGEST),
              read.number("exploration", 1, 0, 1e9),
              read.number("temperature", declines ? 1 : 0.1, LEAST_TEMPERATURE, 1e6),
              read.number("floor", 0, 0, 1)),
          null);
    }

    private static String metric(PolicySettings read) {
      String metric = read.text("metric", Metrics.EVAL_LOSS);
      if (NOT_OF_DOMAINS.contains(metric)) {
        throw new IllegalArgumentException(
            read.path("metric")
                + " must be one that trainers measure of each domain: '"
                + metric
                + "'");
      }
      try {
        return Metrics.requireName(metric);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(read.path("metric") + ": " + e.getMessage(), e);
      }
    }
  }
}
