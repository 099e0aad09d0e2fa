package io.sluice.mixture.policy.update;

import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;

/**
 * What a policy keeps whose result may be the mean of its weights over all rounds: the weights,
 * each domain's last score, and the mean so far. Changed in place.
 */
public final class ScoredWeights {
  private final SteppedWeights weights;
  private final double[] scores;
  private final double[] mean;
  private long count;

  private ScoredWeights(SteppedWeights weights, double[] scores, long count, double[] mean) {
    this.weights = weights;
    this.scores = scores;
    this.count = count;
    this.mean = mean;
  }

  /**
   * At the start of a run.
   *
   * @param counted whether the initial weights are part of the mean
   */
  public static ScoredWeights start(
      double[] shares, double floor, double[] scores, boolean counted) {
    SteppedWeights weights = SteppedWeights.start(shares, floor);
    double[] mean = counted ? Shares.normalised(shares) : new double[shares.length];
    return new ScoredWeights(weights, scores, counted ? 1 : 0, mean);
  }

  /** Reads what {@link #encode} wrote, for the policy of that name. */
  public static ScoredWeights decode(String policy, int version, byte[] state, double floor) {
    StateReader reader = StateReader.ofVersion(policy, version, state);
    SteppedWeights weights = SteppedWeights.read(reader, floor);
    double[] scores = reader.array();
    return new ScoredWeights(weights, scores, reader.number(), reader.array());
  }

  /** Bytes that begin with the policy's version. */
  public byte[] encode(int version) {
    StateWriter writer = StateWriter.ofVersion(version);
    weights.write(writer);
    return writer.put(scores).put(count).put(mean).bytes();
  }

  public SteppedWeights weights() {
    return weights;
  }

  /** Each domain's last score, to be changed. */
  public double[] scores() {
    return scores;
  }

  /** The weights, or their mean if there is one. */
  public double[] result(boolean average) {
    return average && count > 0 ? mean : weights.shares();
  }

  /** A step by scores, which the mean takes in. */
  public void step(double eta, double[] by) {
    weights.step(eta, by);
    double[] shares = weights.shares();
    for (int i = 0; i < mean.length; i++) {
      mean[i] = (count * mean[i] + shares[i]) / (count + 1);
    }
    count++;
  }
}
