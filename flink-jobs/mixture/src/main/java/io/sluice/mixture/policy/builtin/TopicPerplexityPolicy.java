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
final class TopicPerplexityPolicy extends ReportPolicy<TopicPerplexityPolicy.Settings> {
  static final String NAME = "topic-perplexity";
  private static final int VERSION = 1;

  /**
   * How perplexities are turned into weights.
   *
   * @param fromLoss whether perplexity is computed as exp(eval loss) or reported as such
   */
  record Settings(double alpha, double deadBand, boolean logarithms, boolean fromLoss) {}

  TopicPerplexityPolicy(Settings settings) {
    super(NAME, settings, settings.fromLoss ? Metrics.EVAL_LOSS : Metrics.PERPLEXITY);
  }

  @Override
  public boolean startsFromStepZero() {
    return true;
  }

  @Override
  public byte[] initialState(double[] shares) {
    return SteppedWeights.start(shares, 0).encode(VERSION, Scores.unknown(shares.length));
  }

  @Override
  public PolicyUpdater updater(byte[] state) {
    return new Updater(StateReader.ofVersion(NAME, VERSION, state));
  }

  private final class Updater implements PolicyUpdater {
    private final SteppedWeights weights;
    private final double[] last;
    private final double[] now;
    private final double[] deltas;
    private final double[] scores;
    private boolean compared;

    Updater(StateReader reader) {
      this.weights = SteppedWeights.read(reader, 0);
      this.last = reader.array();
      this.now = new double[last.length];
      this.deltas = new double[last.length];
      this.scores = new double[last.length];
    }

    @Override
    public void take(Observation observation) {
      weights.open();
      measure(observation);
      double max = 0;
      compared = false;
      for (int i = 0; i < now.length; i++) {
        compared |= !Double.isNaN(last[i]) && !Double.isNaN(now[i]);
        deltas[i] = change(last[i], now[i]);
        max = Math.max(max, Math.abs(deltas[i]));
        last[i] = Double.isNaN(now[i]) ? last[i] : now[i];
      }
      for (int i = 0; i < now.length; i++) {
        deltas[i] = max == 0 ? 0 : deltas[i] / max;
        scores[i] = Math.log(1 + settings.alpha * deltas[i]);
      }
      weights.step(1, scores);
    }

    private void measure(Observation observation) {
      observation.means(metrics().get(0), now);
      for (int i = 0; settings.fromLoss && i < now.length; i++) {
        double perplexity = Math.exp(now[i]);
        now[i] = Double.isInfinite(perplexity) ? Double.NaN : perplexity;
      }
    }

    private double change(double before, double after) {
      if (Double.isNaN(before) || Double.isNaN(after)) {
        return 0;
      }
      boolean still = Math.abs(after - before) < settings.deadBand * before;
      return still ? 0 : settings.logarithms ? Math.log(after / before) : after - before;
    }

    @Override
    public double[] shares() {
      return weights.shares();
    }

    @Override
    public double[] scores() {
      return deltas;
    }

    @Override
    public String note() {
      return compared && Scores.areZero(deltas)
          ? "no perplexity has moved since the round before: weights stay"
          : "";
    }

    @Override
    public byte[] state() {
      return weights.encode(VERSION, last);
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
      return new TopicPerplexityPolicy(
          new Settings(
              read.number("alpha", 0.4, 0, Math.nextDown(1.0)),
              read.number("dead-band", 0, 0, 1),
              read.flag("log-perplexity", false),
              read.choice("metric", "eval-loss", "eval-loss", "perplexity").equals("eval-loss")));
    }
  }
}
