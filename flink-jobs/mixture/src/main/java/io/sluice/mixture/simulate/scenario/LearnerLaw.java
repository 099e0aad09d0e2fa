package io.sluice.mixture.simulate.scenario;

import io.sluice.mixture.targets.ScalingLaw;

/**
 * How one domain of a scenario is learnt.
 *
 * @param law loss of effective tokens, in billions
 * @param head effective tokens before training, above 0: what the base model knows
 * @param tokens that the domain has; passes beyond the first teach less, and over-fit
 * @param forgetting share of the effective tokens gained that every billion tokens of other domains
 *     takes away, in [0, 1]
 * @param headForgetting share of the head that every billion tokens of other domains takes away, in
 *     [0, 1]: with it, a domain's loss can rise above what it was before training
 * @param plateau effective tokens gained before anything shows in the loss
 */
public record LearnerLaw(
    ScalingLaw law,
    double head,
    double tokens,
    double forgetting,
    double headForgetting,
    double plateau) {
  /** Checks the ranges. */
  public LearnerLaw {
    require(law.floor() > 0 && law.scale() > 0 && law.exponent() > 0, "law", law);
    require(head > 0, "head", head);
    require(tokens > 0, "tokens", tokens);
    require(forgetting >= 0 && forgetting <= 1, "forgetting", forgetting);
    require(headForgetting >= 0 && headForgetting <= 1, "head-forgetting", headForgetting);
    require(plateau >= 0, "plateau", plateau);
  }

  /** A domain that is neither forgotten nor learnt late. */
  public static LearnerLaw of(
      double floor, double scale, double exponent, double head, double tokens) {
    return new LearnerLaw(new ScalingLaw(floor, scale, exponent), head, tokens, 0, 0, 0);
  }

  /** This domain with other forgetting, of what is gained and of the head. */
  LearnerLaw forgetting(double ofGained, double ofHead) {
    return new LearnerLaw(law, head, tokens, ofGained, ofHead, plateau);
  }

  /** This domain with another plateau. */
  LearnerLaw late(double tokensUntilShown) {
    return new LearnerLaw(law, head, tokens, forgetting, headForgetting, tokensUntilShown);
  }

  private static void require(boolean holds, String what, Object actual) {
    if (!holds) {
      throw new IllegalArgumentException("a learner's " + what + " is out of range: " + actual);
    }
  }
}
