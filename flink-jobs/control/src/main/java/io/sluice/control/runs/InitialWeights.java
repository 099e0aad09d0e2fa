package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.mixture.plan.Weights;
import java.util.List;
import java.util.Map;

/**
 * How a run's first weights are chosen; there is no default, because the papers do not settle it.
 */
public sealed interface InitialWeights {
  /** The same for every domain. */
  record Uniform() implements InitialWeights {}

  /** In proportion to the tokens of the domains. */
  record TokenProportional() implements InitialWeights {}

  /**
   * In proportion to the tokens of the domains, to the power 1 / T: 1 is {@link TokenProportional},
   * higher temperatures come closer to {@link Uniform}.
   */
  record Temperature(double temperature) implements InitialWeights {}

  /** Whether they depend on how many tokens the domains have. */
  default boolean needsTokens() {
    return this instanceof TokenProportional || this instanceof Temperature;
  }

  /** What asks for weights by tokens in a run's file. */
  default String word() {
    return this instanceof Temperature ? "temperature" : "token-proportional";
  }

  /** Given by domain; they need not sum to 1. */
  record Explicit(Map<String, Double> shares) implements InitialWeights {
    /** Copies the shares. */
    public Explicit {
      shares = Map.copyOf(shares);
    }
  }

  /**
   * The weights of these domains, in their order.
   *
   * @param trainedTokens of each domain; only read where {@link #needsTokens}
   * @throws BadInputException naming the key, what it may be, and what it is
   */
  default Weights resolve(List<String> domains, Map<String, Long> trainedTokens) {
    if (this instanceof Uniform) {
      return Weights.uniform(domains.size());
    }
    double[] shares = new double[domains.size()];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = share(domains.get(i), trainedTokens);
    }
    if (this instanceof Explicit explicit) {
      for (String name : explicit.shares().keySet()) {
        if (!domains.contains(name)) {
          throw new BadInputException(
              "initial-weights." + name + " is not a domain of the run: " + domains);
        }
      }
    }
    double sum = 0;
    for (double share : shares) {
      sum += share;
    }
    if (!(sum > 0)) {
      throw new BadInputException("initial-weights must have a sum above 0: " + sum);
    }
    return Weights.ofShares(shares);
  }

  private double share(String domain, Map<String, Long> trainedTokens) {
    if (this instanceof Explicit explicit) {
      double share = explicit.shares().getOrDefault(domain, 0.0);
      if (!Double.isFinite(share) || share < 0) {
        throw new BadInputException(
            "initial-weights." + domain + " must be finite and at least 0: " + share);
      }
      return share;
    }
    Long tokens = trainedTokens.get(domain);
    if (tokens == null || tokens == 0) {
      throw new BadInputException(
          "initial-weights: " + word() + " needs tokens of every domain: " + domain + " has none");
    }
    return this instanceof Temperature hot ? Math.pow(tokens, 1 / hot.temperature) : tokens;
  }
}
