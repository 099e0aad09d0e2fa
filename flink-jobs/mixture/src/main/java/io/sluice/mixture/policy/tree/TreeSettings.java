package io.sluice.mixture.policy.tree;

import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Extent;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.builtin.StaticPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The settings of a tree: its groups and its stages. */
final class TreeSettings {
  private static final double MAX_RATIO = 1e12;
  private static final double MAX_LOSS = 1e6;

  private TreeSettings() {}

  /** The groups of {@code groups.<group>}, in alphabetical order. */
  static List<TreeGroup> groups(PolicySettings read, List<String> domains) {
    PolicySettings all =
        read.section(
            "groups",
            "groups.<group>.domains",
            "groups.<group>.policy",
            "groups.<group>.weights.<domain>");
    Map<String, String> owners = new TreeMap<>();
    List<TreeGroup> groups = new ArrayList<>();
    for (String name : all.heads()) {
      PolicySettings own = all.section(name);
      List<String> names = members(own, domains);
      for (String domain : names) {
        String other = owners.put(domain, name);
        if (other != null) {
          throw new IllegalArgumentException(
              read.path("groups")
                  + " must have "
                  + domain
                  + " in one group only: "
                  + other
                  + ", "
                  + name);
        }
      }
      int[] places = names.stream().mapToInt(domains::indexOf).toArray();
      double[] weights = own.perDomain("weights", names, 0, MAX_RATIO);
      groups.add(
          new TreeGroup(
              name,
              places,
              weights == null ? new double[0] : own.requirePositive("weights", weights),
              policy(own, names)));
      own.requireAllRead();
    }
    requireComplete(read, domains, owners.keySet(), groups);
    return groups;
  }

  private static void requireComplete(
      PolicySettings read, List<String> domains, Set<String> owned, List<TreeGroup> groups) {
    if (groups.isEmpty()) {
      throw new IllegalArgumentException(
          read.path("groups.<group>.domains") + " must be given for at least one group: none is");
    }
    Set<String> left = new TreeSet<>(domains);
    left.removeAll(owned);
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(
          read.path("groups") + " must have every domain in a group: missing " + left);
    }
  }

  private static List<String> members(PolicySettings own, List<String> domains) {
    List<String> names = own.names("domains");
    Set<String> unknown = new TreeSet<>(names);
    unknown.removeAll(new HashSet<>(domains));
    if (names.isEmpty() || !unknown.isEmpty()) {
      throw new IllegalArgumentException(
          own.path("domains")
              + " must name domains of "
              + domains
              + ", each once: '"
              + String.join(" ", names)
              + "'");
    }
    return names;
  }

  /** The policy is a name, or a name with settings below it; without, the weights stay. */
  private static Policy policy(PolicySettings own, List<String> names) {
    PolicySettings below = own.section("policy", "policy");
    Set<String> heads = new TreeSet<>(below.heads());
    String plain = own.text("policy", "");
    if (!plain.isEmpty()) {
      heads.add(plain);
    }
    if (heads.size() > 1) {
      throw new IllegalArgumentException(own.path("policy") + " must name one policy: " + heads);
    }
    for (String head : below.heads()) {
      if (!below.text(head, "").isBlank()) {
        throw new IllegalArgumentException(
            below.path(head) + " must have settings below it: '" + below.text(head, "") + "'");
      }
    }
    String name = heads.isEmpty() ? StaticPolicy.NAME : heads.iterator().next();
    Map<String, String> settings = new TreeMap<>(below.section(name).all());
    Policy policy = Policies.create(own.path("policy"), name, settings, names);
    for (String metric : policy.metrics()) {
      if (policy.axis(metric) instanceof Axis.Mixtures) {
        throw new IllegalArgumentException(
            own.path("policy") + " must be one that measures domains: " + name);
      }
    }
    return policy;
  }

  /** The stages of {@code stages.<n>}, from 1. */
  static List<TreeStage> stages(PolicySettings read, List<TreeGroup> groups, List<String> domains) {
    PolicySettings all =
        read.section(
            "stages",
            "stages.<n>.ratios.<group>",
            "stages.<n>.to.<group>",
            "stages.<n>.change",
            "stages.<n>.until",
            "stages.<n>.for",
            "stages.<n>.when.below.<domain>",
            "stages.<n>.when.plateau",
            "stages.<n>.when.rounds",
            "stages.<n>.rest");
    int count = all.heads().size();
    Set<String> numbers = new TreeSet<>();
    IntStream.rangeClosed(1, count).forEach(n -> numbers.add(Integer.toString(n)));
    if (count == 0 || !all.heads().equals(numbers)) {
      throw new IllegalArgumentException(
          read.path("stages") + " must be numbered from 1, without gaps: " + all.heads());
    }
    List<TreeStage> stages = new ArrayList<>();
    double @Nullable [] reached = null;
    for (int n = 1; n <= count; n++) {
      TreeStage stage = stage(all.section(Integer.toString(n)), groups, domains, reached);
      requireEnd(stage, n == count);
      stages.add(stage);
      reached = stage.to();
    }
    return stages;
  }

  private static TreeStage stage(
      PolicySettings own,
      List<TreeGroup> groups,
      List<String> domains,
      double @Nullable [] reached) {
    List<String> names = groups.stream().map(TreeGroup::name).toList();
    double[] ratios = ratios(own, "ratios", names);
    double[] from = ratios == null ? reached : ratios;
    if (from == null) {
      throw new IllegalArgumentException(
          own.path("ratios.<group>") + " must be given for every group of " + names + ": none is");
    }
    double[] to = ratios(own, "to", names);
    String change = own.choice("change", "linear", "linear", "cosine");
    Extent until = own.extent("until");
    Extent length = own.extent("for");
    if (until != null && length != null) {
      throw new IllegalArgumentException(own.path("until") + " and for must not both be given");
    }
    if (length != null && length.inSequences()) {
      throw new IllegalArgumentException(
          own.path("for") + " must be in batches: " + length.count());
    }
    TreeStage stage =
        new TreeStage(
            own.path("").replaceAll("\\.$", ""),
            from,
            to == null ? from : to,
            change.equals("linear") ? TreeStage.Change.LINEAR : TreeStage.Change.COSINE,
            until,
            length == null ? 0 : length.count(),
            condition(own, domains),
            resting(own, names));
    own.requireAllRead();
    return stage;
  }

  private static double @Nullable [] ratios(PolicySettings own, String key, List<String> names) {
    double[] given = own.perDomain(key, names, 0, MAX_RATIO);
    if (given == null) {
      return null;
    }
    Set<String> unknown = new TreeSet<>(own.section(key, key + ".<group>").heads());
    names.forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          own.path(key) + " must name groups of " + names + ": " + unknown);
    }
    return Shares.normalised(own.requirePositive(key, given));
  }

  private static @Nullable TreeCondition condition(PolicySettings own, List<String> domains) {
    PolicySettings when = own.section("when", "when.below.<domain>", "when.plateau", "when.rounds");
    if (when.heads().isEmpty()) {
      return null;
    }
    double[] below = when.perDomainOr("below", domains, Double.NaN, 0, MAX_LOSS);
    double plateau = when.number("plateau", Double.NaN, 0, MAX_LOSS);
    int rounds = (int) when.whole("rounds", 3, 1, 1 << 20);
    when.requireAllRead();
    boolean none = Double.isNaN(plateau);
    for (double loss : below) {
      none &= Double.isNaN(loss);
    }
    if (none) {
      throw new IllegalArgumentException(
          when.path("below.<domain>") + " or plateau must be given: neither is");
    }
    return new TreeCondition(below, plateau, rounds);
  }

  private static Set<Integer> resting(PolicySettings own, List<String> names) {
    Set<Integer> resting = new HashSet<>();
    for (String name : own.text("rest", "").strip().split("\\s+", -1)) {
      if (!name.isEmpty() && !names.contains(name)) {
        throw new IllegalArgumentException(
            own.path("rest") + " must name groups of " + names + ": '" + name + "'");
      }
      if (!name.isEmpty()) {
        resting.add(names.indexOf(name));
      }
    }
    return resting;
  }

  private static void requireEnd(TreeStage stage, boolean last) {
    boolean moves = stage.ratios() != stage.to();
    if (moves && !stage.isScheduled()) {
      throw new IllegalArgumentException(
          stage.path() + ".to must come with 'until' or 'for', and without 'when'");
    }
    if (last && stage.ends() && !moves) {
      throw new IllegalArgumentException(
          stage.path() + " must not end, because no stage comes after it");
    }
    if (!last && !stage.ends()) {
      throw new IllegalArgumentException(
          stage.path() + " must end by 'until', 'for' or 'when', because a stage comes after it");
    }
  }
}
