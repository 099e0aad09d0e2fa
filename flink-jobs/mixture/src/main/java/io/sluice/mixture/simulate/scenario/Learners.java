package io.sluice.mixture.simulate.scenario;

import java.util.Arrays;

/** The state of a scenario's model. */
public interface Learners {
  /**
   * Before training.
   *
   * @param seed of the data, where the model is trained on some
   */
  static Learners of(Scenario scenario, long seed) {
    Model model = scenario.model();
    if (model instanceof Model.Laws laws) {
      return new LawLearners(scenario, laws);
    }
    return model instanceof Model.Sampled sampled
        ? new SampledModel(scenario, sampled, seed)
        : new SharedModel(scenario, (Model.Shared) model);
  }

  /** The same before training. */
  Learners untrained();

  /** Trains on batches with these tokens of each domain, in billions, before any stage's share. */
  void train(double[] batches);

  /** Loss on held-out documents, without noise. */
  double loss(int domain);

  /** How much the objective falls at this moment for a billion tokens more of each domain. */
  double[] benefits();

  /** Inner products of each domain's gradient with the objective's. */
  double[] alignments();

  /**
   * Inner products of each domain's gradient, by rows, with each domain's.
   *
   * @param heldOut whether the first gradient is that of held-out documents, as a target's
   */
  double[][] products(boolean heldOut);

  /** Whether training takes so long that a search can afford some dozens of runs and no more. */
  default boolean isCostly() {
    return false;
  }

  /** The loss of each domain. */
  default double[] losses(int domains) {
    double[] losses = new double[domains];
    Arrays.setAll(losses, this::loss);
    return losses;
  }
}
