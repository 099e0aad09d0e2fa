package io.sluice.mixture.targets;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresBuilder;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;

/**
 * Fits the scaling law of one domain: the least sum of Huber losses that Levenberg-Marquardt finds
 * from many seeds.
 *
 * <p>The three parameters are nearly collinear over a short range of sizes, so the seeds matter:
 * for a fixed exponent the law is linear in floor and scale, which least squares give at once
 * (variable projection); floors at shares of the least loss cover what outliers hide. Sizes are
 * divided by their geometric mean first, which takes most of the correlation out.
 */
public final class ScalingLawFitter {
  /** Fewest points that leave something to judge the law by. */
  public static final int MIN_POINTS = 4;

  private static final double[] EXPONENTS = {
    .02, .05, .1, .15, .2, .25, .3, .35, .4, .5, .6, .75, 1, 1.3, 1.6, 2
  };
  private static final double[] FLOORS = {.3, .5, .7, .85, .95, .99};
  private static final int DESCENTS = 6;
  private static final int MAX_EVALUATIONS = 4000;
  private static final double TOLERANCE = 1e-15;

  private ScalingLawFitter() {}

  private record Parameters(double b, double e, double beta, double objective) {
    boolean isFinite() {
      return Double.isFinite(objective) && Double.isFinite(b) && Double.isFinite(beta);
    }
  }

  /**
   * The best law for these points.
   *
   * @param sizes above 0, in any unit
   * @param losses above 0, one for each size
   * @throws IllegalArgumentException if there are fewer than 4 points, or one is not a positive
   *     number
   */
  public static ScalingFit fit(double[] sizes, double[] losses) {
    check(sizes, losses);
    double unit = geometricMean(sizes);
    double[] scaled = new double[sizes.length];
    for (int j = 0; j < scaled.length; j++) {
      scaled[j] = sizes[j] / unit;
    }
    HuberObjective objective = new HuberObjective(scaled, losses);
    List<Parameters> seeds = seeds(objective, scaled, losses);
    seeds.sort(Comparator.comparingDouble(Parameters::objective));
    Parameters best = seeds.get(0);
    for (Parameters seed : seeds.subList(0, Math.min(DESCENTS, seeds.size()))) {
      Parameters found = descend(objective, seed);
      best = found.isFinite() && found.objective < best.objective ? found : best;
    }
    ScalingLaw law = new ScalingLaw(Math.exp(best.e), Math.exp(best.b), best.beta).in(1 / unit);
    return new ScalingFit(
        law,
        best.objective,
        sizes.length,
        ScalingFit.spread(objective, unit, best.b, best.e, best.beta));
  }

  private static Parameters descend(HuberObjective objective, Parameters seed) {
    try {
      double[] found =
          new LevenbergMarquardtOptimizer()
              .withCostRelativeTolerance(TOLERANCE)
              .withParameterRelativeTolerance(TOLERANCE)
              .withOrthoTolerance(0)
              .optimize(
                  new LeastSquaresBuilder()
                      .start(new double[] {seed.b, seed.e, seed.beta})
                      .target(new double[objective.points()])
                      .model(objective)
                      .maxEvaluations(MAX_EVALUATIONS)
                      .maxIterations(MAX_EVALUATIONS)
                      .build())
              .getPoint()
              .toArray();
      return parameters(objective, found[0], found[1], found[2]);
    } catch (MathRuntimeException e) {
      // It cannot get any better from here, or it left for infinity: the seed itself still counts.
      return seed;
    }
  }

  private static List<Parameters> seeds(HuberObjective objective, double[] sizes, double[] losses) {
    List<Parameters> seeds = new ArrayList<>();
    double least = Double.POSITIVE_INFINITY;
    for (double loss : losses) {
      least = Math.min(least, loss);
    }
    for (double beta : EXPONENTS) {
      double[] linear = ProjectedLaw.floorAndScale(sizes, losses, beta);
      add(seeds, objective, linear[0], linear[1], beta);
      for (double share : FLOORS) {
        double floor = share * least;
        add(seeds, objective, floor, ProjectedLaw.scale(sizes, losses, beta, floor), beta);
      }
    }
    add(seeds, objective, least * FLOORS[FLOORS.length - 1], least / 100, EXPONENTS[0]);
    return seeds;
  }

  private static void add(
      List<Parameters> seeds, HuberObjective objective, double floor, double scale, double beta) {
    if (floor > 0 && scale > 0) {
      seeds.add(parameters(objective, Math.log(scale), Math.log(floor), beta));
    }
  }

  private static Parameters parameters(HuberObjective objective, double b, double e, double beta) {
    return new Parameters(b, e, beta, objective.value(b, e, beta));
  }

  private static void check(double[] sizes, double[] losses) {
    if (sizes.length < MIN_POINTS || losses.length != sizes.length) {
      throw new IllegalArgumentException(
          "a fit needs at least "
              + MIN_POINTS
              + " sizes and as many losses: "
              + sizes.length
              + ", "
              + losses.length);
    }
    for (int j = 0; j < sizes.length; j++) {
      if (!(sizes[j] > 0 && losses[j] > 0)
          || Double.isInfinite(sizes[j])
          || Double.isInfinite(losses[j])) {
        throw new IllegalArgumentException(
            "point " + j + " must be finite and above 0: " + sizes[j] + ", " + losses[j]);
      }
    }
  }

  private static double geometricMean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += Math.log(value);
    }
    return Math.exp(sum / values.length);
  }
}
