package io.sluice.mixture.targets;

/** What a law is for an exponent that is given: linear in floor and scale. */
final class ProjectedLaw {
  private ProjectedLaw() {}

  /** Least squares of {@code loss ~ floor + scale · size^-beta}, relative to the losses. */
  static double[] floorAndScale(double[] sizes, double[] losses, double beta) {
    double weights = 0;
    double x = 0;
    double xx = 0;
    double y = 0;
    double xy = 0;
    for (int j = 0; j < sizes.length; j++) {
      double power = Math.pow(sizes[j], -beta);
      double weight = 1 / (losses[j] * losses[j]);
      weights += weight;
      x += weight * power;
      xx += weight * power * power;
      y += weight * losses[j];
      xy += weight * power * losses[j];
    }
    double scale = (weights * xy - x * y) / (weights * xx - x * x);
    return new double[] {(y - scale * x) / weights, scale};
  }

  /** Least squares of the scale alone. */
  static double scale(double[] sizes, double[] losses, double beta, double floor) {
    double xx = 0;
    double xy = 0;
    for (int j = 0; j < sizes.length; j++) {
      double power = Math.pow(sizes[j], -beta);
      xx += power * power;
      xy += power * (losses[j] - floor);
    }
    return xy / xx;
  }
}
