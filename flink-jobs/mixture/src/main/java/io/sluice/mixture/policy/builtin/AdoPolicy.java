package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.update.AsyncDecision;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Adaptive data optimization (Jiang et al.): domains whose scaling law says that their loss still
 * falls fast, and that are trained on, gain weight.
 *
 * <p>At every step t, with the law L_i(n) = floor_i + scale_i · n^−a_i fitted to the training loss:
 *
 * <pre>
 *   speed_i = max(a_i, 0.05) · scale_i · n_i^−a_i / n_i
 *   ρ ∝ prior_i · √h_i · speed_i, then at least min-share
 *   w = 0.9 · average + 0.1 · ρ
 *   average ← average + (ρ − average) / (t + 1)
 * </pre>
 *
 * <p>{@code form: official} updates h, the average of what was trained on, before that, by the
 * measured counts; {@code form: mixtera} after it, by w, gives no weight to a domain that was never
 * trained on, does not bound a_i, and applies the least share to w. Known differences to the
 * published code: the floor of L is not bounded below, since 1.65 nats excludes code; losses are
 * averaged between the points of a fit instead of filtered; the points are thinned out to 32 at
 * most; a domain without a law keeps its prior share; and a least share that k domains cannot all
 * have is mixed in uniformly instead of making all weights equal. Fits are worked on outside the
 * deciding thread.
 */
final class AdoPolicy implements Policy {
  static final String NAME = "ado";
  private static final double LEAST_EXPONENT = 0.05;

  /**
   * How laws become weights.
   *
   * @param start first step that changes the weights
   * @param refitEvery steps between fits; 0 for laws that are given
   * @param ignore first steps whose losses are not fitted
   * @param stride steps between the points of a fit
   * @param sameSize whether n counts everything for every domain, not its own part
   * @param gammaHistory of h
   * @param gammaShare of ρ in w
   */
  record Settings(
      boolean mixtera,
      long start,
      long refitEvery,
      long ignore,
      long stride,
      boolean sameSize,
      double minShare,
      double gammaHistory,
      double gammaShare,
      double @Nullable [] scales,
      double @Nullable [] exponents) {}

  private final Settings settings;
  private final AsyncDecision ahead = new AsyncDecision();

  AdoPolicy(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.TRAIN_LOSS);
  }

  @Override
  public byte[] initialState(double[] shares) {
    double[] none = new double[shares.length];
    double[] scales = Objects.requireNonNullElse(settings.scales, none);
    double[] exponents = Objects.requireNonNullElse(settings.exponents, none);
    return new AdoState(shares, scales, exponents, settings.stride).encode();
  }

  @Override
  public boolean isReady(byte[] state, Observation observation) {
    return !fits(observation.step())
        || ahead.isDone(state, observation.step(), () -> decided(state, observation));
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    return fits(observation.step())
        ? ahead.get(state, observation.step(), () -> decided(state, observation))
        : decided(state, observation);
  }

  private boolean fits(long step) {
    return settings.refitEvery > 0 && step > settings.ignore && step % settings.refitEvery == 0;
  }

  private Decision decided(byte[] encoded, Observation observation) {
    AdoState state = AdoState.decode(encoded);
    long[] counts = observation.counts(Metrics.TRAIN_LOSS);
    long step = observation.step();
    count(state, counts);
    if (settings.refitEvery > 0 && step > settings.ignore) {
      state.collect(observation.means(Metrics.TRAIN_LOSS), counts);
      if (fits(step)) {
        state.refit();
      }
    }
    double[] speeds = new double[counts.length];
    double[] shares = state.prior;
    if (step >= settings.start && speeds(state, speeds)) {
      shares = settings.mixtera ? mixtera(state, speeds, step) : official(state, speeds, step);
    }
    return new Decision(state.encode(), shares.clone(), speeds);
  }

  private void count(AdoState state, long[] counts) {
    double all = 0;
    for (long count : counts) {
      all += count;
    }
    for (int i = 0; i < counts.length; i++) {
      boolean everything = settings.sameSize && !settings.mixtera;
      boolean trained = settings.sameSize && (state.seen[i] > 0 || counts[i] > 0);
      state.seen[i] += everything || trained ? all : counts[i];
      if (!settings.mixtera && all > 0) {
        double gamma = settings.gammaHistory;
        state.history[i] = (1 - gamma) * state.history[i] + gamma * (counts[i] / all);
      }
    }
  }

  /** Fills in how fast each loss falls; false while no domain has a law. */
  private boolean speeds(AdoState state, double[] speeds) {
    boolean any = false;
    for (int i = 0; i < speeds.length; i++) {
      if (state.hasLaw(i) && state.seen[i] > 0) {
        double exponent = state.exponents[i];
        double reducible = state.scales[i] * Math.pow(state.seen[i], -exponent);
        double factor = settings.mixtera ? exponent : Math.max(exponent, LEAST_EXPONENT);
        speeds[i] = factor * reducible / state.seen[i];
        any |= speeds[i] > 0;
      }
    }
    return any;
  }

  /** ρ before any floor; domains without a law keep their prior share. */
  private static double[] preferred(AdoState state, double[] speeds) {
    double[] preferred = new double[speeds.length];
    double sum = 0;
    double left = 1;
    for (int i = 0; i < preferred.length; i++) {
      preferred[i] = state.prior[i] * Math.sqrt(state.history[i]) * speeds[i];
      sum += preferred[i];
      left -= state.hasLaw(i) ? 0 : state.prior[i];
    }
    for (int i = 0; i < preferred.length; i++) {
      double share = sum > 0 ? preferred[i] / sum * left : state.prior[i];
      preferred[i] = state.hasLaw(i) ? share : state.prior[i];
    }
    return preferred;
  }

  private double[] official(AdoState state, double[] speeds, long step) {
    double[] rho = atLeast(preferred(state, speeds), settings.minShare);
    double[] shares = blended(state, rho);
    follow(state, rho, step);
    return shares;
  }

  private double[] mixtera(AdoState state, double[] speeds, long step) {
    double[] rho = preferred(state, speeds);
    double[] shares = blended(state, rho);
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      shares[i] = state.seen[i] > 0 ? Math.max(shares[i], settings.minShare) : shares[i];
      sum += shares[i];
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] /= sum;
      double gamma = settings.gammaHistory;
      state.history[i] = gamma * shares[i] + (1 - gamma) * state.history[i];
    }
    follow(state, rho, step);
    return shares;
  }

  private double[] blended(AdoState state, double[] rho) {
    double[] shares = new double[rho.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (1 - settings.gammaShare) * state.average[i] + settings.gammaShare * rho[i];
    }
    return shares;
  }

  private static void follow(AdoState state, double[] rho, long step) {
    double part = 1.0 / (step + 1);
    for (int i = 0; i < rho.length; i++) {
      state.average[i] = (1 - part) * state.average[i] + part * rho[i];
    }
  }

  /** Raises what is below the least share and scales to 1 again, which lowers it a little. */
  static double[] atLeast(double[] shares, double least) {
    int k = shares.length;
    double[] raised = new double[k];
    double sum = 0;
    for (int i = 0; i < k; i++) {
      raised[i] = k * least <= 1 ? Math.max(shares[i], least) : (1 - least) * shares[i] + least / k;
      sum += raised[i];
    }
    for (int i = 0; i < k; i++) {
      raised[i] /= sum;
    }
    return raised;
  }

  /** Reads {@link Settings}. */
  public record Factory() implements PolicyFactory {
    private static final long MAX_STEP = 1L << 52;

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      double[] scales = read.perDomain("law-scale", domains, 1e-300, 1e300);
      double[] exponents = read.perDomain("law-exponent", domains, 0, 10);
      if ((scales == null) != (exponents == null)) {
        throw new IllegalArgumentException(
            read.path("law-scale") + " and law-exponent must be given together: one is missing");
      }
      return new AdoPolicy(
          new Settings(
              read.choice("form", "official", "official", "mixtera").equals("mixtera"),
              read.whole("start", 1000, 0, MAX_STEP),
              read.whole("refit-every", scales == null ? 1000 : 0, 0, MAX_STEP),
              read.whole("ignore", 500, 0, MAX_STEP),
              read.whole("stride", 10, 1, MAX_STEP),
              read.flag("same-size", true),
              read.number("min-share", 0.01, 0, 1),
              read.number("history", 0.1, 0, 1),
              read.number("newest", 0.1, 0, 1),
              scales,
              exponents));
    }
  }
}
