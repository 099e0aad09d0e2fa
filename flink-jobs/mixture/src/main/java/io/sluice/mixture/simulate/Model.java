package io.sluice.mixture.simulate;

/** What a scenario trains. */
public sealed interface Model {
  /** A model that learns each domain by its law. */
  Model LAWS = new Laws();

  /** A model that learns each domain by its {@link LearnerLaw}. */
  record Laws() implements Model {}

  /**
   * A model whose parameters all domains share, see {@link SharedModel}.
   *
   * @param centres of each domain in those parameters
   */
  record Shared(double[][] centres) implements Model {}

  /**
   * A model that is trained on a finite sample of every domain, see {@link SampledModel}.
   *
   * @param parameters of the model
   * @param samples of each domain: its tokens are these
   * @param decay of the inputs' variances: that of the x-th is x to the power −decay
   * @param reducible nats that training can take off a domain's loss
   * @param common part of the variances that all domains have in the same inputs, in [0, 1]
   * @param conflict part of what a domain teaches that is true of it alone, in [0, 1]
   * @param step of the optimizer as a share of the largest stable one, above 0 and below 1
   */
  record Sampled(
      int parameters,
      int samples,
      double decay,
      double reducible,
      double common,
      double conflict,
      double step)
      implements Model {}
}
