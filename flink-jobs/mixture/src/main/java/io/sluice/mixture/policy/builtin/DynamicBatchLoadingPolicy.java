package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.ReportPolicy;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.update.Scores;
import io.sluice.mixture.policy.update.SteppedWeights;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dynamic batch loading (Sheared LLaMA): domains whose loss is above their reference loss gain
 * weight.
 *
 * <p>Algorithm 1, at every round, with Δ_i = max(l_i − reference_i, 0):
 *
 * <pre>
 *   w_i ← w_i · exp(eta · Δ_i) / Σ_j w_j · exp(eta · Δ_j)
 * </pre>
 *
 * <p>The preset {@code paper} is that. The preset {@code official} is what the published code does:
 * Δ is not clipped at 0, and the weights are mixed with uniform ones, c = 1e-4, which also revives
 * weights of 0. Its other update types: {@code bandit} takes w_i itself instead of ln w_i in the
 * exponent; {@code constant} changes nothing. The code computes in single precision: its weights
 * differ from these by up to 5e-6 of their value. A domain without a measurement keeps its last Δ;
 * before its first it neither gains nor loses. Reference losses may be a share of those of step 0.
 */
final class DynamicBatchLoadingPolicy extends ReportPolicy<DynamicBatchLoadingPolicy.Settings> {
  static final String NAME = "dynamic-batch-loading";
  private static final int VERSION = 1;
  private static final double[] NONE = {};

  /** How the next weights follow from the differences. */
  enum Update {
    DOREMI,
    BANDIT,
    CONSTANT
  }

  /**
   * How the losses are turned into weights.
   *
   * @param references one for each domain, in nats per token; null to take {@code targetFraction}
   *     of the losses at step 0
   */
  record Settings(
      double @Nullable [] references,
      double targetFraction,
      Update update,
      double eta,
      double floor,
      boolean clip) {}

  DynamicBatchLoadingPolicy(Settings settings) {
    super(NAME, settings, Metrics.EVAL_LOSS);
  }

  @Override
  public boolean startsFromStepZero() {
    return settings.references == null;
  }

  @Override
  public byte[] initialState(double[] shares) {
    double[] references = settings.references == null ? NONE : settings.references;
    SteppedWeights weights = SteppedWeights.start(shares, settings.floor);
    return weights.encode(VERSION, Scores.unknown(shares.length), references);
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(NAME, VERSION, state));
  }

  private final class Updater implements PolicyUpdater {
    private final SteppedWeights weights;
    private final double[] differences;
    private final double[] losses;
    private final double[] scores;
    private double[] references;

    Updater(StateReader reader) {
      this.weights = SteppedWeights.read(reader, settings.floor);
      this.differences = reader.array();
      this.references = reader.array();
      this.losses = new double[differences.length];
      this.scores = new double[differences.length];
    }

    @Override
    public void take(Observation observation) {
      weights.open();
      observation.means(Metrics.EVAL_LOSS, losses);
      if (references.length == 0) {
        references = new double[losses.length];
        Arrays.setAll(references, i -> settings.targetFraction * losses[i]);
        return;
      }
      boolean known = true;
      for (int i = 0; i < losses.length; i++) {
        double difference = losses[i] - reference(i);
        if (!Double.isNaN(difference)) {
          differences[i] = settings.clip ? Math.max(0, difference) : difference;
        }
        scores[i] = differences[i];
        known &= !Double.isNaN(scores[i]);
      }
      if (!known) {
        Scores.fillNeutral(scores, weights.shares());
      }
      switch (settings.update) {
        case DOREMI -> weights.step(settings.eta, scores);
        case BANDIT -> bandit();
        case CONSTANT -> {}
      }
    }

    /** A domain without a loss at step 0 takes its first one. */
    private double reference(int domain) {
      if (Double.isNaN(references[domain])) {
        references[domain] = settings.targetFraction * losses[domain];
      }
      return references[domain];
    }

    private void bandit() {
      double[] z = losses;
      double[] shares = weights.shares();
      for (int i = 0; i < z.length; i++) {
        z[i] = shares[i] + settings.eta * scores[i];
      }
      weights.restart(z);
    }

    @Override
    public double[] shares() {
      return weights.shares();
    }

    @Override
    public double[] scores() {
      return scores;
    }

    /** Only where differences end at 0; the bandit's weights go on to equal ones. */
    @Override
    public String note() {
      boolean rests = settings.clip && settings.update == Update.DOREMI;
      return rests && Scores.areZero(differences)
          ? "all domains have reached their reference losses: " + weights.rest()
          : "";
    }

    @Override
    public byte[] state() {
      return weights.encode(VERSION, differences, references);
    }
  }

  /** Reads {@link Settings}. */
  public record Factory() implements PolicyFactory {
    private static final double MAX_LOSS = 1e6;
    private static final double OFFICIAL_FLOOR = 1e-4;

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      boolean paper = read.choice("preset", "official", "official", "paper").equals("paper");
      String update = read.choice("update", "doremi", "doremi", "bandit", "constant");
      double[] references = read.perDomain("targets", domains, 0, MAX_LOSS);
      if ((references == null) != read.has("target-fraction")) {
        throw new IllegalArgumentException(
            read.path("targets.<domain>")
                + " or target-fraction must be given, one of the two: "
                + (references == null ? "neither" : "both")
                + " given");
      }
      return new DynamicBatchLoadingPolicy(
          new Settings(
              references,
              read.number("target-fraction", Double.NaN, 0, 1),
              switch (update) {
                case "bandit" -> Update.BANDIT;
                case "constant" -> Update.CONSTANT;
                default -> Update.DOREMI;
              },
              read.number("eta", 1, 0, 1000),
              read.number("floor", paper ? 0 : OFFICIAL_FLOOR, 0, 1),
              read.flag("clip", paper)));
    }
  }
}
