package io.sluice.mixture.policy.tree;

import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a tree's metrics are of, and which of their values are a group's: those of its own domains,
 * and of pairs those that its own policy makes.
 */
final class TreeAxes {
  private final List<String> domains;
  private final List<TreeGroup> groups;

  TreeAxes(List<String> domains, List<TreeGroup> groups) {
    this.domains = domains;
    this.groups = groups;
  }

  /** What the values of a metric are of: everything that some group needs, each once. */
  Axis of(String metric) {
    List<TreeGroup> needing = needing(metric);
    if (needing.stream().allMatch(group -> group.policy().axis(metric).equals(Axis.DOMAINS))) {
      return Axis.DOMAINS;
    }
    Set<String> names = new LinkedHashSet<>();
    needing.forEach(group -> names.addAll(names(group, metric)));
    return new Axis.Named(needing.get(0).policy().axis(metric).kind(), List.copyOf(names));
  }

  private List<TreeGroup> needing(String metric) {
    return groups.stream().filter(group -> group.policy().metrics().contains(metric)).toList();
  }

  private List<String> names(TreeGroup group, String metric) {
    List<String> own = Arrays.stream(group.members()).mapToObj(domains::get).toList();
    return group.policy().axis(metric).names(own);
  }

  /** What was measured for a group. */
  Observation seen(Observation observation, Collection<String> metrics, TreeGroup group) {
    Map<String, int[]> places = new HashMap<>();
    for (String metric : metrics) {
      places.put(metric, places(metric, group));
    }
    return observation.of(places);
  }

  private int[] places(String metric, TreeGroup group) {
    Axis axis = of(metric);
    if (axis.equals(Axis.DOMAINS)) {
      return group.members();
    }
    Map<String, Integer> all = new HashMap<>();
    axis.names(domains).forEach(name -> all.put(name, all.size()));
    return names(group, metric).stream().mapToInt(all::get).toArray();
  }

  /**
   * Refuses groups that need values of a metric of different kinds of things.
   *
   * @param path of the groups' key, for the message
   * @param stagesNeedLosses whether stages end by the domains' held-out losses
   */
  void requireOneKind(String path, boolean stagesNeedLosses) {
    Set<String> metrics = new TreeSet<>();
    groups.forEach(group -> metrics.addAll(group.policy().metrics()));
    for (String metric : metrics) {
      Set<String> kinds = new TreeSet<>();
      needing(metric).forEach(group -> kinds.add(group.policy().axis(metric).kind()));
      if (stagesNeedLosses && metric.equals(Metrics.EVAL_LOSS)) {
        kinds.add(Axis.DOMAINS.kind());
      }
      if (kinds.size() > 1) {
        throw new IllegalArgumentException(
            path + " must need " + metric + " of one kind of things: " + kinds);
      }
    }
  }
}
