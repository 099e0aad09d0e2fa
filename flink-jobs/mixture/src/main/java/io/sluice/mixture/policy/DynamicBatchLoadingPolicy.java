package io.sluice.mixture.policy;

import java.util.List;

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
 * before its first it neither gains nor loses.
 */
final class DynamicBatchLoadingPolicy implements Policy {
  static final String NAME = "dynamic-batch-loading";
  private static final int VERSION = 1;

  /** How the next weights follow from the differences. */
  enum Update {
    DOREMI,
    BANDIT,
    CONSTANT
  }

  /**
   * How the losses are turned into weights.
   *
   * @param references one for each domain, in nats per token
   */
  record Settings(double[] references, Update update, double eta, double floor, boolean clip) {}

  private final Settings settings;

  DynamicBatchLoadingPolicy(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.EVAL_LOSS);
  }

  @Override
  public byte[] initialState(double[] shares) {
    return encode(LogWeights.ofShares(shares), Scores.unknown(shares.length));
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    StateReader reader = StateReader.ofVersion(NAME, VERSION, state);
    LogWeights weights = LogWeights.ofNormalised(reader.array());
    double[] differences = reader.array();
    double[] losses = observation.means(Metrics.EVAL_LOSS);
    for (int i = 0; i < losses.length; i++) {
      if (!Double.isNaN(losses[i])) {
        double difference = losses[i] - settings.references[i];
        differences[i] = settings.clip ? Math.max(0, difference) : difference;
      }
    }
    double[] scores = Scores.neutral(differences, weights.shares());
    LogWeights next =
        switch (settings.update) {
          case DOREMI -> weights.step(settings.eta, scores).withFloor(settings.floor);
          case BANDIT -> bandit(weights, scores).withFloor(settings.floor);
          case CONSTANT -> weights;
        };
    return new Decision(encode(next, differences), next.shares(), scores);
  }

  private LogWeights bandit(LogWeights weights, double[] scores) {
    double[] z = weights.shares().clone();
    for (int i = 0; i < z.length; i++) {
      z[i] += settings.eta * scores[i];
    }
    return LogWeights.ofLogs(z);
  }

  private static byte[] encode(LogWeights weights, double[] differences) {
    return StateWriter.ofVersion(VERSION).put(weights.logs()).put(differences).bytes();
  }

  /** Reads {@link Settings}. */
  record Factory() implements PolicyFactory {
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
      return new DynamicBatchLoadingPolicy(
          new Settings(
              read.requirePerDomain("targets", domains, 0, MAX_LOSS),
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
