package io.sluice.mixture.law;

/** A loss as a function of the shares of the domains trained on. */
public interface MixingLaw {
  /**
   * The loss that a mixture is predicted to end with.
   *
   * @param shares one for each domain, summing to 1
   * @return nats per token
   */
  double at(double[] shares);

  /** What to fit. */
  enum Form {
    /** {@code a · shares}: RegMix's linear regression (Liu et al. 2024, section 3.2). */
    LINEAR,
    /**
     * {@code c + exp(a · shares)}: Data Mixing Laws (Ye et al. 2024, equation 6), and Olmix. Its
     * factor before the exponential is in the exponents, as shares sum to 1.
     */
    LOG_LINEAR
  }
}
