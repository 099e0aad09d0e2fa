package io.sluice.mixture.policy.update;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;

/**
 * The step that both forms of dynamic gradient alignment take: instantaneous log-weights alpha, and
 * the moving average that is sampled from.
 *
 * <pre>
 *   alpha ← alpha · exp(eta · a) / Z
 *   average ← (1 − beta) · average + beta · alpha
 * </pre>
 *
 * <p>When some alignment is not finite, the whole update is skipped, because a partial one would
 * bias Z; what was not measured gets the mean alignment by weight, so that it neither gains nor
 * loses.
 */
public abstract class AlignmentUpdater implements PolicyUpdater {
  private static final int VERSION = 1;
  private static final double[] NONE = {};

  private final SteppedWeights alpha;
  private final double[] average;
  private final double[] alignments;
  private final double eta;
  private final double beta;
  private boolean stepped;

  protected AlignmentUpdater(String policy, byte[] state, double eta, double beta) {
    StateReader reader = StateReader.ofVersion(policy, VERSION, state);
    this.alpha = SteppedWeights.read(reader, 0);
    this.average = reader.array();
    this.alignments = new double[average.length];
    this.eta = eta;
    this.beta = beta;
  }

  /** State in which both are the initial weights. */
  public static byte[] start(double[] shares) {
    SteppedWeights alpha = SteppedWeights.start(shares, 0);
    StateWriter writer = StateWriter.ofVersion(VERSION);
    alpha.write(writer);
    return writer.put(alpha.shares()).bytes();
  }

  @Override
  public final byte[] state() {
    StateWriter writer = StateWriter.ofVersion(VERSION);
    alpha.write(writer);
    return writer.put(average).bytes();
  }

  /** The moving average. */
  protected final double[] average() {
    return average;
  }

  /** The alignments of the last update, or none if it was skipped. */
  @Override
  public double[] scores() {
    return stepped ? alignments : NONE;
  }

  @Override
  public void take(Observation observation) {
    stepped = observation.allFinite(Metrics.ALIGNMENT);
    if (!stepped) {
      return;
    }
    alpha.open();
    boolean complete = observation.means(Metrics.ALIGNMENT, alignments);
    if (!complete) {
      Scores.fillNeutral(alignments, alpha.shares());
    }
    alpha.step(eta, alignments);
    double[] shares = alpha.shares();
    for (int i = 0; i < average.length; i++) {
      average[i] = normalOrZero((1 - beta) * average[i] + beta * shares[i]);
    }
  }

  /** What decays would stay subnormal for ever, and cost many times what other numbers cost. */
  private static double normalOrZero(double value) {
    return value < Double.MIN_NORMAL ? 0 : value;
  }
}
