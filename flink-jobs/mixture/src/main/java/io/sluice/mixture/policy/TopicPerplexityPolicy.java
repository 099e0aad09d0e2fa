package io.sluice.mixture.policy;

import java.util.List;

/**
 * The topic mixture of Llama-3-SynE: topics whose perplexity rose since the round before gain
 * weight, those whose perplexity fell give way.
 *
 * <p>Section 4.1.1, after every round, for the next one:
 *
 * <pre>
 *   delta_i = (p_i − p'_i) / max_j |p_j − p'_j|
 *   w_i ← w_i · (1 + alpha · delta_i) / Σ_j w_j · (1 + alpha · delta_j)
 * </pre>
 *
 * <p>Known differences to the paper: its maximum is printed over the wrong index; weights for round
 * t cannot be computed from the perplexity after round t, so they govern round t + 1; when no
 * perplexity moved, nothing changes. Alpha must be below 1, which keeps every factor positive.
 * Changes below a dead-band, a share of p'_i, can be ignored (default 0: none is); logarithms of
 * perplexities can be compared instead of the raw ones, which make topics of high perplexity move
 * most. A topic without a measurement keeps its last one.
 */
final class TopicPerplexityPolicy implements Policy {
  static final String NAME = "topic-perplexity";
  private static final int VERSION = 1;

  /**
   * How perplexities are turned into weights.
   *
   * @param fromLoss whether perplexity is computed as exp(eval loss) or reported as such
   */
  record Settings(double alpha, double deadBand, boolean logarithms, boolean fromLoss) {}

  private final Settings settings;

  TopicPerplexityPolicy(Settings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(settings.fromLoss ? Metrics.EVAL_LOSS : Metrics.PERPLEXITY);
  }

  @Override
  public boolean startsFromStepZero() {
    return true;
  }

  @Override
  public byte[] initialState(double[] shares) {
    return encode(LogWeights.ofShares(shares), Scores.unknown(shares.length));
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    StateReader reader = StateReader.ofVersion(NAME, VERSION, state);
    LogWeights weights = LogWeights.ofNormalised(reader.array());
    double[] last = reader.array();
    double[] now = perplexities(observation);
    double[] deltas = new double[now.length];
    double max = 0;
    for (int i = 0; i < now.length; i++) {
      deltas[i] = change(last[i], now[i]);
      max = Math.max(max, Math.abs(deltas[i]));
      last[i] = Double.isNaN(now[i]) ? last[i] : now[i];
    }
    double[] scores = new double[now.length];
    for (int i = 0; i < now.length; i++) {
      deltas[i] = max == 0 ? 0 : deltas[i] / max;
      scores[i] = Math.log(1 + settings.alpha * deltas[i]);
    }
    LogWeights next = weights.step(1, scores);
    return new Decision(encode(next, last), next.shares(), deltas);
  }

  private double[] perplexities(Observation observation) {
    double[] values = observation.means(metrics().get(0));
    for (int i = 0; settings.fromLoss && i < values.length; i++) {
      double perplexity = Math.exp(values[i]);
      values[i] = Double.isInfinite(perplexity) ? Double.NaN : perplexity;
    }
    return values;
  }

  private double change(double last, double now) {
    if (Double.isNaN(last) || Double.isNaN(now)) {
      return 0;
    }
    boolean still = Math.abs(now - last) < settings.deadBand * last;
    return still ? 0 : settings.logarithms ? Math.log(now / last) : now - last;
  }

  private static byte[] encode(LogWeights weights, double[] last) {
    return StateWriter.ofVersion(VERSION).put(weights.logs()).put(last).bytes();
  }

  /** Reads {@link Settings}. */
  record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      return new TopicPerplexityPolicy(
          new Settings(
              read.number("alpha", 0.4, 0, Math.nextDown(1.0)),
              read.number("dead-band", 0, 0, 1),
              read.flag("log-perplexity", false),
              read.choice("metric", "eval-loss", "eval-loss", "perplexity").equals("eval-loss")));
    }
  }
}
