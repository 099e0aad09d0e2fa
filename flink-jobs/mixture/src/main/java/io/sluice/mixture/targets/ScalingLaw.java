package io.sluice.mixture.targets;

import org.hipparchus.analysis.solvers.BrentSolver;

/**
 * A power law that a loss falls by: {@code L(D) = floor + scale / D^exponent}, in nats per token.
 *
 * @param floor the loss that is left however much is trained on
 * @param scale in the unit of D to the exponent
 */
public record ScalingLaw(double floor, double scale, double exponent) {
  private static final double MAX_EXPONENT = 10;
  private static final int MAX_EVALUATIONS = 200;

  /**
   * The loss at {@code size}.
   *
   * @param size tokens, or whatever the law is of, above 0
   */
  public double at(double size) {
    return floor + scale * Math.pow(size, -exponent);
  }

  /** The same law of a size in another unit: {@code at(size) == in(unit).at(size / unit)}. */
  public ScalingLaw in(double unit) {
    return new ScalingLaw(floor, scale * Math.pow(unit, -exponent), exponent);
  }

  /**
   * The law through three points. It interpolates: there is nothing left to judge it by, and its
   * floor may be below 0.
   *
   * @param sizes rising
   * @param losses falling
   * @throws IllegalArgumentException if no power law goes through them
   */
  public static ScalingLaw through(double[] sizes, double[] losses) {
    double ratio = (losses[0] - losses[1]) / (losses[1] - losses[2]);
    double x1 = Math.log(sizes[1] / sizes[0]);
    double x2 = Math.log(sizes[2] / sizes[0]);
    // As the exponent goes to 0, the law becomes a logarithm.
    if (!(ratio > x1 / (x2 - x1)) || !(losses[1] > losses[2])) {
      throw new IllegalArgumentException(
          "losses must fall ever more slowly: " + losses[0] + ", " + losses[1] + ", " + losses[2]);
    }
    double exponent =
        new BrentSolver(1e-14)
            .solve(
                MAX_EVALUATIONS,
                b -> -Math.expm1(-b * x1) / (Math.exp(-b * x1) - Math.exp(-b * x2)) - ratio,
                1e-9,
                MAX_EXPONENT);
    double unitScale = (losses[0] - losses[1]) / -Math.expm1(-exponent * x1);
    double scale = unitScale * Math.pow(sizes[0], exponent);
    return new ScalingLaw(losses[0] - unitScale, scale, exponent);
  }
}
