package io.sluice.mixture.simulate;

import java.util.Arrays;

/** The state of a scenario's model. */
interface Learners {
  /**
   * Before training.
   *
   * @param seed of the data, where the model is trained on some
   */
  static Learners of(Scenario scenario, long seed) {
    Model model = scenario.model();
    if (model instanceof Model.Shared shared) {
      return new SharedModel(scenario, shared.centres());
    }
    return model instanceof Model.Sampled sampled
        ? new SampledModel(scenario, sampled, seed)
        : new LawLearners(scenario);
  }

  /** The same before training. */
  Learners untrained();

  /** Trains on batches with these tokens of each domain, in billions, before any stage's share. */
  void train(double[] batches);

  /** Loss on held-out documents, without noise. */
  double loss(int domain);

  /** How much the objective falls for a billion tokens more of each domain. */
  double[] benefits();

  /** Inner products of each domain's gradient with the objective's. */
  double[] alignments();

  /**
   * Standard deviation of the noise that alignments are still to get.
   *
   * @param noise of the scenario
   */
  default double alignmentNoise(double noise) {
    return 10 * noise;
  }

  /** Trials that the oracle may take to find the best mixture for these learners. */
  default int trialsOfOracle() {
    return 400;
  }

  /** The loss of each domain. */
  default double[] losses(int domains) {
    double[] losses = new double[domains];
    Arrays.setAll(losses, this::loss);
    return losses;
  }
}
