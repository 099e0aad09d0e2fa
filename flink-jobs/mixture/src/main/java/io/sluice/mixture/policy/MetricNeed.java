package io.sluice.mixture.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A metric that trainers have to measure at the steps of a policy's rounds.
 *
 * @param name on the wire, see {@link Metrics}
 * @param atStepZero whether the report of step 0 must have it, too
 * @param axis what each value is of
 * @param targets domains whose held-out documents it is measured against; empty if it has none, or
 *     leaves them to the trainer
 */
public record MetricNeed(String name, boolean atStepZero, Axis axis, List<String> targets) {
  /** Checks the name and copies the targets. */
  public MetricNeed {
    Metrics.requireName(name);
    targets = List.copyOf(targets);
  }

  /**
   * What a policy needs, each metric once, in its own order.
   *
   * @throws IllegalArgumentException if a metric has a name that it cannot have
   */
  public static List<MetricNeed> of(Policy policy) {
    List<String> atStart =
        policy.startsFromStepZero() ? policy.metricsOfStepZero() : List.<String>of();
    Map<String, MetricNeed> needs = new LinkedHashMap<>();
    for (String metric : policy.metrics()) {
      MetricNeed need =
          new MetricNeed(
              ofTrainers(metric),
              atStart.contains(metric),
              policy.axis(metric),
              policy.targetDomains(metric));
      needs.merge(need.name(), need, MetricNeed::and);
    }
    return List.copyOf(needs.values());
  }

  /**
   * Names of what the values are of; empty: the domains.
   *
   * @param domains of the run
   * @throws IllegalArgumentException if they make more pairs than a metric can have
   */
  public List<String> of(List<String> domains) {
    try {
      return axis.equals(Axis.DOMAINS) ? List.of() : axis.names(domains);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + " of " + e.getMessage(), e);
    }
  }

  /** Whoever proposes weights is no trainer, and reads the held-out losses of those. */
  private static String ofTrainers(String metric) {
    return metric.equals(Metrics.PROPOSED_WEIGHT) ? Metrics.EVAL_LOSS : metric;
  }

  private MetricNeed and(MetricNeed other) {
    Set<String> both = new LinkedHashSet<>(targets);
    both.addAll(other.targets);
    return new MetricNeed(name, atStepZero || other.atStepZero, axis, new ArrayList<>(both));
  }
}
