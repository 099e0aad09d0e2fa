package io.sluice.mixture.targets;

import java.util.Arrays;
import java.util.List;

/**
 * When an estimation run has seen enough: as soon as one more checkpoint moves no domain's
 * predicted loss by {@code sigma} or more (Velocitune, appendix B), or when it has used its share
 * of tokens.
 *
 * @param sigma in nats; the paper does not give it, its own errors are about 2e-3
 * @param minPoints checkpoints before the first prediction
 * @param cap share of the full tokens at which it ends although nothing settled
 */
public record SettlingRule(double sigma, int minPoints, double cap) {
  /** σ = 1e-3 from 4 checkpoints on, at most 60 % of the tokens. */
  public static final SettlingRule DEFAULT = new SettlingRule(1e-3, 4, 0.6);

  /** Checks the ranges. */
  public SettlingRule {
    if (!(sigma > 0)) {
      throw new IllegalArgumentException("sigma must be above 0: " + sigma);
    }
    if (minPoints < ScalingLawFitter.MIN_POINTS) {
      throw new IllegalArgumentException(
          "min-points must be at least " + ScalingLawFitter.MIN_POINTS + ": " + minPoints);
    }
    if (!(cap > 0 && cap <= 1)) {
      throw new IllegalArgumentException("cap must be in (0, 1]: " + cap);
    }
  }

  /** Where an estimation stands. */
  public enum Status {
    GOING_ON,
    SETTLED,
    CAPPED
  }

  /**
   * Where the estimation stands at its last checkpoint.
   *
   * @param points checkpoints so far
   * @param lastMove the most that the last of them moved a domain's predicted loss, in nats
   * @param used share of the full tokens
   */
  public Status status(int points, double lastMove, double used) {
    if (points > minPoints && lastMove < sigma) {
      return Status.SETTLED;
    }
    return points > 0 && used >= cap ? Status.CAPPED : Status.GOING_ON;
  }

  /**
   * The most that the last checkpoint moved a domain's predicted loss, in nats; NaN while there are
   * too few checkpoints to tell.
   *
   * @param tokens at each checkpoint
   * @param losses for each domain, at each checkpoint
   * @param initialLosses for each domain
   */
  public double lastMove(
      double[] tokens, List<double[]> losses, double[] initialLosses, double fullTokens) {
    int n = tokens.length;
    if (n <= minPoints) {
      return Double.NaN;
    }
    double[] before = predictions(n - 1, tokens, losses, initialLosses, fullTokens);
    double[] now = predictions(n, tokens, losses, initialLosses, fullTokens);
    double moved = 0;
    for (int i = 0; i < now.length; i++) {
      moved = Math.max(moved, Math.abs(now[i] - before[i]));
    }
    return moved;
  }

  /** Every domain's target from the first {@code n} checkpoints. */
  private static double[] predictions(
      int n, double[] tokens, List<double[]> losses, double[] initial, double fullTokens) {
    double[] predictions = new double[losses.size()];
    double[] seen = Arrays.copyOf(tokens, n);
    for (int i = 0; i < predictions.length; i++) {
      double[] measured = Arrays.copyOf(losses.get(i), n);
      predictions[i] = TargetEstimate.of(seen, measured, initial[i], fullTokens).loss();
    }
    return predictions;
  }
}
