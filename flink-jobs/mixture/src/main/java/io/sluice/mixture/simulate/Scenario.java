package io.sluice.mixture.simulate;

import io.sluice.mixture.plan.Weights;
import java.util.List;

/**
 * A training run whose outcome can be computed: domains with laws, and how they help each other.
 *
 * @param learners one for each domain
 * @param transfer k × k: {@code transfer[i][j]} effective tokens of domain j for each of domain i
 * @param noise standard deviation of ln(measured loss); alignments have 10 times it
 * @param initial weights to start with
 * @param objective how much each domain's loss counts in the end, summing to 1; also the target
 *     that gradients are aligned with
 * @param batches in the run
 * @param updateEvery batches between rounds
 * @param tokensPerBatch in billions
 */
public record Scenario(
    String name,
    List<String> domains,
    List<LearnerLaw> learners,
    double[][] transfer,
    double noise,
    Weights initial,
    double[] objective,
    long batches,
    long updateEvery,
    double tokensPerBatch) {
  /** Checks that everything is of one size. */
  public Scenario {
    domains = List.copyOf(domains);
    learners = List.copyOf(learners);
    int k = domains.size();
    if (learners.size() != k
        || transfer.length != k
        || initial.size() != k
        || objective.length != k) {
      throw new IllegalArgumentException(
          "scenario " + name + " must describe all " + k + " domains everywhere");
    }
  }

  /** Tokens of the whole run, in billions. */
  public double totalTokens() {
    return batches * tokensPerBatch;
  }
}
