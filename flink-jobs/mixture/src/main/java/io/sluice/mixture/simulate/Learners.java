package io.sluice.mixture.simulate;

import java.util.Arrays;

/** The state of a scenario's model. */
interface Learners {
  /** Before training. */
  static Learners of(Scenario scenario) {
    return scenario.centres().length == 0 ? new LawLearners(scenario) : new SharedModel(scenario);
  }

  /** Trains on batches with these tokens of each domain, in billions, before any stage's share. */
  void train(double[] batches);

  /** Loss on held-out documents, without noise. */
  double loss(int domain);

  /** How much the objective falls for a billion tokens more of each domain. */
  double[] benefits();

  /** Inner products of each domain's gradient with the objective's, without noise. */
  double[] alignments();

  /** The loss of each domain. */
  default double[] losses(int domains) {
    double[] losses = new double[domains];
    Arrays.setAll(losses, this::loss);
    return losses;
  }
}
