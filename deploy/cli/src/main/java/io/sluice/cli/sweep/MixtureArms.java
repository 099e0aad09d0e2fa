package io.sluice.cli.sweep;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import io.sluice.mixture.law.DrawnMixtures;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Arms whose first weights are drawn.
 *
 * @param concentration of the Dirichlet distribution
 * @param together weights of domains whose ratio stays, by the name of their group
 */
record MixtureArms(int count, double concentration, Map<String, Map<String, Double>> together) {
  private static final long SEED = 1;
  private static final double DIGITS = 1e6;

  /** The distribution over the mixtures of some domains. */
  DrawnMixtures of(List<String> domains) {
    Set<String> left = new LinkedHashSet<>(domains);
    List<double[]> parts = new ArrayList<>();
    together.forEach((name, weights) -> parts.add(part(name, weights, domains, left)));
    for (String domain : left) {
      double[] alone = new double[domains.size()];
      alone[domains.indexOf(domain)] = 1;
      parts.add(alone);
    }
    return new DrawnMixtures(parts, concentration);
  }

  private static double[] part(
      String name, Map<String, Double> weights, List<String> domains, Set<String> left) {
    double[] part = new double[domains.size()];
    double sum = weights.values().stream().mapToDouble(d -> d).sum();
    weights.forEach(
        (domain, weight) -> {
          if (!left.remove(domain)) {
            throw new BadInputException(
                "'mixtures.together."
                    + name
                    + "' must be of domains of the dataset, "
                    + domains
                    + ", each in one group: found '"
                    + domain
                    + "'");
          }
          part[domains.indexOf(domain)] = weight / sum;
        });
    if (!(sum > 0)) {
      throw new BadInputException(
          "'mixtures.together." + name + "' must have weights above 0: found " + weights);
    }
    return part;
  }

  /** An arm for each mixture. */
  List<SweepArm> arms(List<String> domains) {
    List<SweepArm> arms = new ArrayList<>();
    for (double[] shares : of(domains).draw(count, SEED)) {
      ObjectNode weights = JsonNodeFactory.instance.objectNode();
      for (int i = 0; i < shares.length; i++) {
        weights.put(domains.get(i), Math.round(shares[i] * DIGITS) / DIGITS);
      }
      arms.add(new SweepArm("m" + (arms.size() + 1), Map.of("initial-weights", weights)));
    }
    return arms;
  }
}
