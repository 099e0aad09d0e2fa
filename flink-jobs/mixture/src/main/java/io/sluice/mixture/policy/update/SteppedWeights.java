package io.sluice.mixture.policy.update;

import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;

/**
 * Weights that take steps of exponentiated gradient in place: {@code w ← w · exp(eta · score) / Z},
 * then {@code (1 − c) · w + c / k}.
 *
 * <p>Without a floor c, normalised log-weights are kept: the weights themselves would underflow to
 * 0 and never come back, though the exact recursion does. With a floor they cannot, and are kept
 * themselves. Arrays that it hands out are its own.
 */
public final class SteppedWeights {
  private final double floor;
  private final double[] kept;
  private final double[] shares;
  private boolean derived;

  private SteppedWeights(double[] kept, double floor) {
    this.kept = kept;
    this.floor = floor;
    this.shares = floor == 0 ? new double[kept.length] : kept;
  }

  /**
   * At the start of a run.
   *
   * @param initial weights in any scale
   * @param floor c, in [0, 1]
   */
  public static SteppedWeights start(double[] initial, double floor) {
    if (floor > 0) {
      return new SteppedWeights(Shares.normalised(initial), floor);
    }
    SteppedWeights weights = new SteppedWeights(new double[initial.length], floor);
    for (int i = 0; i < initial.length; i++) {
      weights.kept[i] = Math.log(initial[i]);
    }
    weights.normalise();
    return weights;
  }

  /** What {@link #write} wrote, with the same floor. */
  public static SteppedWeights read(StateReader reader, double floor) {
    return new SteppedWeights(reader.array(), floor);
  }

  /** Bytes of a policy's state: these weights first, then other arrays. */
  public byte[] encode(int version, double[]... others) {
    StateWriter writer = StateWriter.ofVersion(version);
    write(writer);
    for (double[] other : others) {
      writer.put(other);
    }
    return writer.bytes();
  }

  void write(StateWriter writer) {
    writer.put(kept);
  }

  /** The weights, summing to 1 up to rounding. */
  public double[] shares() {
    if (floor == 0 && !derived) {
      Shares.softmax(kept, shares);
      derived = true;
    }
    return shares;
  }

  /**
   * Begins a round, so that the weights before its step are those that the state alone gives: the
   * rounding of the step before is not in them, in a run that was restored or not.
   */
  public void open() {
    derived = false;
  }

  /** One step; the floor comes after it. */
  public void step(double eta, double[] scores) {
    if (floor > 0) {
      stepWithFloor(eta, scores);
      return;
    }
    for (int i = 0; i < kept.length; i++) {
      kept[i] += eta * scores[i];
    }
    normalise();
  }

  /** What becomes of the weights while every score is 0, for people. */
  public String rest() {
    return floor == 0
        ? "weights no longer move"
        : "weights move by their floor alone, towards equal ones";
  }

  /** The softmax of any numbers instead of a step; the floor comes after it. */
  public void restart(double[] exponents) {
    System.arraycopy(exponents, 0, kept, 0, kept.length);
    normalise();
  }

  private void normalise() {
    if (floor > 0) {
      Shares.softmax(kept, shares);
      Shares.mixIn(floor, shares);
      return;
    }
    double logSum = Shares.softmax(kept, shares);
    for (int i = 0; i < kept.length; i++) {
      kept[i] -= logSum;
    }
    derived = true;
  }

  private void stepWithFloor(double eta, double[] scores) {
    double max = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < shares.length; i++) {
      double z = eta * scores[i];
      max = shares[i] > 0 && z > max ? z : max;
    }
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      shares[i] = shares[i] > 0 ? shares[i] * Math.exp(eta * scores[i] - max) : 0;
      sum += shares[i];
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] /= sum;
    }
    Shares.mixIn(floor, shares);
  }
}
