package io.sluice.mixture.simulate.scenario;

import io.sluice.mixture.plan.Weights;
import java.util.List;

/**
 * A training run whose outcome can be computed: domains with laws, and how they help each other.
 *
 * @param learners one for each domain
 * @param transfer k × k: {@code transfer[i][j]} effective tokens of domain j for each of domain i
 * @param noise of what trainers measure
 * @param initial weights to start with
 * @param objective how much each domain's loss counts in the end, summing to 1; also the target
 *     that gradients are aligned with
 * @param batches in the run
 * @param updateEvery batches between rounds
 * @param tokensPerBatch in billions
 * @param stages after the first, in their order
 * @param model that is trained
 */
public record Scenario(
    String name,
    List<String> domains,
    List<LearnerLaw> learners,
    double[][] transfer,
    Noise noise,
    Weights initial,
    double[] objective,
    long batches,
    long updateEvery,
    double tokensPerBatch,
    List<Stage> stages,
    Model model) {
  /** Sequences in a simulated batch. */
  public static final int SEQUENCES = 512;

  private static final long MAX_BATCHES = 10_000_000;

  /**
   * How far measurements are from the truth.
   *
   * @param loss standard deviation of ln(measured loss), at least 0
   * @param alignment standard deviation of a measured alignment beside the noise that the model's
   *     own mini-batches bring, at least 0
   */
  public record Noise(double loss, double alignment) {
    /** Checks the ranges. */
    public Noise {
      if (!(loss >= 0 && alignment >= 0)) {
        throw new IllegalArgumentException(
            "noise must be at least 0: " + loss + " of losses, " + alignment + " of alignments");
      }
    }
  }

  /**
   * A part of a run in which some of every batch is data of no domain, such as synthetic text. The
   * policy goes on to mix the rest.
   *
   * @param after tokens of the run before it begins, in billions
   * @param share of every batch, in [0, 1)
   * @param transfer effective tokens of each domain for each token of that data
   */
  public record Stage(double after, double share, double[] transfer) {
    /** Checks the share. */
    public Stage {
      if (!(share >= 0 && share < 1)) {
        throw new IllegalArgumentException("a stage's share must be in [0, 1): " + share);
      }
    }
  }

  /** Checks that everything is of one size. */
  public Scenario {
    domains = List.copyOf(domains);
    learners = List.copyOf(learners);
    stages = List.copyOf(stages);
    int k = domains.size();
    if (learners.size() != k
        || transfer.length != k
        || initial.size() != k
        || objective.length != k) {
      throw new IllegalArgumentException(
          "scenario " + name + " must describe all " + k + " domains everywhere");
    }
  }

  /** This scenario with other weights to start with. */
  public Scenario startingWith(Weights weights) {
    return with(weights, batches, updateEvery, tokensPerBatch);
  }

  /**
   * This scenario in other steps: the same tokens over another number of batches.
   *
   * @param count batches in the run, 1 to 10 million
   * @param every batches between rounds, 1 to {@code count}
   */
  public Scenario inSteps(long count, long every) {
    requireWithin("steps", count, MAX_BATCHES);
    requireWithin("every", every, count);
    return with(initial, count, every, totalTokens() / count);
  }

  /** This scenario measured more or less often. */
  public Scenario every(long between) {
    requireWithin("every", between, batches);
    return with(initial, batches, between, tokensPerBatch);
  }

  private Scenario with(Weights weights, long count, long every, double tokens) {
    return new Scenario(
        name, domains, learners, transfer, noise, weights, objective, count, every, tokens, stages,
        model);
  }

  /** This scenario about other learners. */
  Scenario of(
      List<LearnerLaw> others,
      double[][] taught,
      Noise measured,
      List<Stage> later,
      Model trained) {
    return new Scenario(
        name,
        domains,
        others,
        taught,
        measured,
        initial,
        objective,
        batches,
        updateEvery,
        tokensPerBatch,
        later,
        trained);
  }

  private static void requireWithin(String key, long value, long high) {
    if (value < 1 || value > high) {
      throw new IllegalArgumentException(key + " must be in [1, " + high + "]: " + value);
    }
  }

  /** Whether the mixture that the objective is of is known to be the best one to train on. */
  public boolean bestIsObjective() {
    return model instanceof Model.Shared;
  }

  /**
   * How far weights are from the mixture that the objective is of, in L1; NaN where no mixture of
   * the domains is known to be the best.
   */
  public double distanceToTarget(double[] shares) {
    double distance = bestIsObjective() ? 0 : Double.NaN;
    for (int i = 0; i < shares.length; i++) {
      distance += Math.abs(shares[i] - objective[i]);
    }
    return distance;
  }

  /** The objective of these losses: their weighted mean. */
  public double objectiveOf(double[] losses) {
    double sum = 0;
    for (int i = 0; i < losses.length; i++) {
      sum += objective[i] * losses[i];
    }
    return sum;
  }

  /** Tokens in a sequence, rounded up. */
  public int tokensPerSequence() {
    return (int) Math.ceil(tokensPerBatch * 1e9 / SEQUENCES);
  }

  /** Tokens of the whole run, in billions. */
  public double totalTokens() {
    return batches * tokensPerBatch;
  }
}
