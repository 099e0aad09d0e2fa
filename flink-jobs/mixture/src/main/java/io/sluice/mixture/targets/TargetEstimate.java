package io.sluice.mixture.targets;

/** The loss that a domain is expected to reach. */
public sealed interface TargetEstimate {
  /** In nats per token. */
  double loss();

  /**
   * A law was fitted and can be believed.
   *
   * @param interval where a measurement would fall, at level 0.95
   */
  record Fitted(double loss, ScalingFit fit, ScalingFit.Interval interval)
      implements TargetEstimate {}

  /**
   * No law can be believed, so that the last measured loss has to do.
   *
   * @param reason for people
   */
  record Rejected(double loss, String reason) implements TargetEstimate {}

  /**
   * The target of one domain.
   *
   * <p>A fit is rejected when there are too few points, when its exponent is not in (0, 3], when
   * its prediction is not above 0, or when that is not below the loss before training: then the
   * domain did not get better by training, or not by a power law.
   *
   * @param tokens trained on at each measurement; those from the learning-rate warm-up left out
   * @param losses at each measurement; at least one
   * @param initialLoss before training; infinite if it is not known
   * @param fullTokens that the main run will train on
   */
  static TargetEstimate of(
      double[] tokens, double[] losses, double initialLoss, double fullTokens) {
    double last = losses[losses.length - 1];
    if (tokens.length < ScalingLawFitter.MIN_POINTS) {
      return new Rejected(
          last, "a fit needs " + ScalingLawFitter.MIN_POINTS + " measurements: " + tokens.length);
    }
    ScalingFit fit = ScalingLawFitter.fit(tokens, losses);
    double loss = fit.law().at(fullTokens);
    double exponent = fit.law().exponent();
    if (!(exponent > 0 && exponent <= 3)) {
      return new Rejected(last, "the exponent must be in (0, 3]: " + exponent);
    }
    if (!(loss > 0) || !(fit.law().scale() > 0)) {
      return new Rejected(last, "the predicted loss must be above 0: " + loss);
    }
    if (loss >= initialLoss) {
      return new Rejected(
          last, "the predicted loss must be below the initial " + initialLoss + ": " + loss);
    }
    return new Fitted(loss, fit, fit.interval(fullTokens, 0.95));
  }
}
