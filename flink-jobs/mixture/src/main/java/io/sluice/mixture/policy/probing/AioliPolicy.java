package io.sluice.mixture.policy.probing;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.UpdatingPolicy;
import io.sluice.mixture.policy.update.Scores;
import io.sluice.mixture.policy.update.SteppedWeights;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Aioli (Chen, Hu, Lourie, Cho, Ré: A Unified Optimization Framework for Language Model Data
 * Mixing, arXiv 2411.05735): domains that lower the losses of all gain weight, by a linear law that
 * is measured in the training itself, again and again.
 *
 * <p>Algorithms 1 and 2 of section 5, in cycles. First the run trains on mixtures in turn, each for
 * a round, in {@code sweeps} sweeps over the k domains in drawn orders; that of domain j is (1 − ε)
 * · 1_j + ε / k. With the means over the sweeps of the shares P_j trained on and of the drops I_ji
 * of each loss i over such a stretch:
 *
 * <pre>
 *   P A_i = I_i for each i       A ← (A − min(0, min A)) / Σ       w_j ← w_j · exp(eta · Σ_i A_ij) / Z
 * </pre>
 *
 * <p>Then {@code train-rounds} rounds train on w. With {@code gamma}, A is (1 − gamma) of the new
 * one and gamma of the average before. The published code (HazyResearch/aioli) then steps from the
 * weights before the first cycle each time, which is {@code step-from: initial}; without an average
 * from the last ones.
 *
 * <p>Known differences to the paper: P is of the tokens that were trained on, as {@code train_loss}
 * counts them, not of what was asked for, so that a lag, smoothing, guards, and rounding to
 * sequences are part of it; the first w are the run's initial weights, not equal ones; a mixture is
 * tried for one round. A stretch whose losses cannot be compared (a round without feedback between
 * them, a value that is not finite, nothing trained on) is tried again. A domain of which nothing
 * was trained on while it was tried is left out, and the cycle begins again without it; once it is
 * trained on under w, the next cycle tries it. A loss that was not measured in some stretch is left
 * out of the cycle's sums. When the mixtures do not tell domains apart, as under pinned weights, or
 * no loss moved, w stays.
 */
final class AioliPolicy extends UpdatingPolicy {
  static final String NAME = "aioli";
  private static final int MOST_DOMAINS = 64;
  private static final double[] NONE = {};

  private final List<String> domains;
  private final Settings settings;
  private final @Nullable Cadence cadence;

  /**
   * How mixtures are tried, and what comes of it.
   *
   * @param smoothing ε
   * @param trainRounds between trials, at least 1
   * @param fromInitial whether each step starts from the weights before the first
   */
  record Settings(
      double eta,
      long sweeps,
      double smoothing,
      long trainRounds,
      double gamma,
      boolean fromInitial,
      double floor,
      long seed) {}

  AioliPolicy(List<String> domains, Settings settings, @Nullable Cadence cadence) {
    this.domains = domains;
    this.settings = settings;
    this.cadence = cadence;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.EVAL_LOSS, Metrics.TRAIN_LOSS);
  }

  @Override
  public Policy inRun(Cadence run) {
    if (run.lag() > run.every() / 2) {
      throw new IllegalArgumentException(
          "apply.lag must be at most half of policy.every under %s, %d: %d"
              .formatted(NAME, run.every() / 2, run.lag()));
    }
    return new AioliPolicy(domains, settings, run);
  }

  @Override
  public byte[] initialState(double[] shares) {
    return AioliState.start(shares, settings.floor, settings.gamma > 0).encode();
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(AioliState.decode(state, settings.floor));
  }

  /** Shares of the tokens that were trained on; empty if there are none. */
  private static double[] trainedOn(Observation observation) {
    double[] counts =
        Arrays.stream(observation.counts(Metrics.TRAIN_LOSS)).asDoubleStream().toArray();
    double sum = Arrays.stream(counts).sum();
    return sum > 0 ? Arrays.stream(counts).map(count -> count / sum).toArray() : NONE;
  }

  private final class Updater implements PolicyUpdater {
    private final AioliState state;
    private double[] scores = NONE;
    private String note = "";

    Updater(AioliState state) {
      this.state = state;
    }

    @Override
    public void take(Observation observation) {
      state.weights.open();
      scores = NONE;
      note = "";
      boolean follows = observation.step() == state.step + Cadence.require(cadence, NAME).every();
      state.step = observation.step();
      if (!observation.allFinite(Metrics.EVAL_LOSS)) {
        state.before = NONE;
        note = "a loss is not finite";
        return;
      }
      double[] losses = observation.means(Metrics.EVAL_LOSS);
      double[] mixture = trainedOn(observation);
      if (state.left > 0) {
        trained(mixture);
      } else if (follows && state.before.length > 0 && mixture.length > 0) {
        tried(mixture, losses);
      } else {
        note = "tried again: its losses cannot be compared with those before";
      }
      state.before = losses;
      note = note.isEmpty() && state.left == 0 ? trying() : note;
    }

    private void trained(double[] mixture) {
      for (int i = 0; i < mixture.length; i++) {
        state.absent[i] = mixture[i] > 0 ? 0 : state.absent[i];
      }
      state.left--;
      if (state.left == 0) {
        begin();
      }
    }

    private void begin() {
      state.beginCycle();
      if (state.tried().length < 2) {
        state.endCycle(settings.trainRounds);
        note = "fewer than two domains are trained on: there is nothing to compare";
      }
    }

    private void tried(double[] mixture, double[] losses) {
      int domain = state.trying(settings.seed);
      if (mixture[domain] == 0) {
        state.absent[domain] = 1;
        note = "nothing of " + domains.get(domain) + " was trained on: begins again without it";
        begin();
        return;
      }
      state.add(domain, mixture, losses);
      int[] tried = state.tried();
      if (state.stretch == settings.sweeps * tried.length) {
        learn(tried);
      }
    }

    private void learn(int[] tried) {
      Optional<DropLaw> law = DropLaw.of(domains.size(), tried, state.trained, state.drops);
      state.endCycle(settings.trainRounds);
      if (law.isEmpty()) {
        note = "what was trained on does not tell the domains apart: weights stay";
        return;
      }
      Optional<DropLaw> normalised = law.get().normalised();
      if (normalised.isEmpty()) {
        note = "no loss moved, or none was measured throughout: weights stay";
        return;
      }
      DropLaw newest = normalised.get();
      if (settings.gamma > 0) {
        newest = newest.averaged(state.average, settings.gamma);
        state.average = newest.values();
      }
      step(newest.pulls(tried));
    }

    private void step(double[] pulls) {
      if (settings.fromInitial) {
        state.weights = SteppedWeights.start(state.initial, settings.floor);
      }
      Scores.fillNeutral(pulls, state.weights.shares());
      state.weights.step(settings.eta, pulls);
      scores = pulls;
    }

    private String trying() {
      return "tries %s, %d of %d"
          .formatted(
              domains.get(state.trying(settings.seed)),
              state.stretch + 1,
              settings.sweeps * state.tried().length);
    }

    @Override
    public double[] shares() {
      return state.left > 0 ? state.weights.shares() : mixture();
    }

    /** The mixture that is tried. */
    private double[] mixture() {
      double[] mixture = new double[domains.size()];
      int[] tried = state.tried();
      for (int i : tried) {
        mixture[i] = settings.smoothing / tried.length;
      }
      mixture[state.trying(settings.seed)] += 1 - settings.smoothing;
      return mixture;
    }

    /** Σ_i A_ij after a cycle's trials, else nothing. */
    @Override
    public double[] scores() {
      return scores;
    }

    @Override
    public byte[] state() {
      return state.encode();
    }

    @Override
    public String note() {
      return note;
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
      if (domains.size() > MOST_DOMAINS) {
        throw new IllegalArgumentException(
            "policy %s must have at most %d domains: %d"
                .formatted(NAME, MOST_DOMAINS, domains.size()));
      }
      return new AioliPolicy(
          List.copyOf(domains),
          new Settings(
              read.number("eta", 0.2, 0, 1000),
              read.whole("sweeps", 4, 1, 64),
              read.number("one-hot-smoothing", 0.75, 0, 0.9),
              read.whole("train-rounds", 50, 1, 1 << 20),
              read.number("gamma", 0, 0, Math.nextDown(1.0)),
              read.choice("step-from", "last", "last", "initial").equals("initial"),
              read.number("floor", 0, 0, 1),
              read.whole("seed", 0, 0, 1L << 52)),
          null);
    }
  }
}
