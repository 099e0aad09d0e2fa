package io.sluice.mixture.policy.update;

import io.sluice.mixture.policy.PolicyUpdater;
import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;

/**
 * The updater of a policy whose result may be the mean of its weights over all rounds: it keeps the
 * weights, each domain's last score, and the mean so far. Changed in place.
 */
public abstract class ScoredUpdater implements PolicyUpdater {
  protected final SteppedWeights weights;

  /** Each domain's last score, to be changed. */
  protected final double[] scores;

  private final int version;
  private final boolean average;
  private final double[] mean;
  private long count;

  /**
   * Reads what {@link #start} or {@link #state} gave.
   *
   * @param average whether the result is the mean of the weights
   */
  protected ScoredUpdater(int version, StateReader state, double floor, boolean average) {
    this.version = version;
    this.average = average;
    this.weights = SteppedWeights.read(state, floor);
    this.scores = state.array();
    this.count = state.number();
    this.mean = state.array();
  }

  /**
   * State at the start of a run.
   *
   * @param counted whether the initial weights are part of the mean
   */
  public static byte[] start(
      int version, double[] shares, double floor, double[] scores, boolean counted) {
    double[] mean = counted ? Shares.normalised(shares) : new double[shares.length];
    SteppedWeights weights = SteppedWeights.start(shares, floor);
    return encode(version, weights, scores, counted ? 1 : 0, mean);
  }

  private static byte[] encode(
      int version, SteppedWeights weights, double[] scores, long count, double[] mean) {
    StateWriter writer = StateWriter.ofVersion(version);
    weights.write(writer);
    return writer.put(scores).put(count).put(mean).bytes();
  }

  /** The weights, or their mean if there is one. */
  @Override
  public final double[] shares() {
    return average && count > 0 ? mean : weights.shares();
  }

  @Override
  public double[] scores() {
    return scores;
  }

  @Override
  public final byte[] state() {
    return encode(version, weights, scores, count, mean);
  }

  /** A step by scores, which the mean takes in. */
  protected final void step(double eta, double[] by) {
    weights.step(eta, by);
    double[] shares = weights.shares();
    for (int i = 0; i < mean.length; i++) {
      mean[i] = (count * mean[i] + shares[i]) / (count + 1);
    }
    count++;
  }
}
