package io.sluice.lab.demo;

import io.sluice.control.error.BadInputException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings that a demo chooses where its user gives none: those that a policy must be told, and
 * those whose defaults are meant for runs of many thousand steps.
 */
record DemoPolicy(DemoSettings demo, List<String> domains) {
  /** A small model soon reaches this share of its initial loss. */
  private static final String TARGET_FRACTION = "0.4";

  /**
   * All settings of the policy.
   *
   * @throws BadInputException if the demo has nobody who decides for the policy
   */
  Map<String, String> settings() {
    if (demo.policy().equals("external")) {
      throw new BadInputException(
          "--policy must be one that decides by itself: no process proposes weights to a demo;"
              + " 'sluice simulate --external' starts one");
    }
    Map<String, String> completed = new TreeMap<>(demo.policySettings());
    switch (demo.policy()) {
      case "velocitune", "dynamic-batch-loading" -> {
        if (!given("target")) {
          completed.put("target-fraction", TARGET_FRACTION);
        }
      }
      case "importance-sampling" -> {
        if (!given("histogram.")) {
          demo.targetDomainsOf(domains)
              .forEach(domain -> completed.put("histogram." + domain, "1"));
        }
      }
      case "tree" -> {
        if (!given("groups.")) {
          completed.putAll(twoGroups());
        }
      }
      case "dga", "dga-distribution", "doge" ->
          completed.putIfAbsent("target", String.join(" ", demo.targetDomainsOf(domains)));
      case "odm" -> completed.putIfAbsent("warm-up", "0");
      case "ado" -> {
        if (!given("law-")) {
          completed.putIfAbsent("ignore", "0");
          completed.putIfAbsent("stride", Long.toString(demo.updateEvery()));
          completed.putIfAbsent("refit-every", Long.toString(2L * demo.updateEvery()));
          completed.putIfAbsent("start", Long.toString(2L * demo.updateEvery()));
        }
      }
      default -> {}
    }
    return completed;
  }

  private boolean given(String prefix) {
    return demo.policySettings().keySet().stream().anyMatch(key -> key.startsWith(prefix));
  }

  /**
   * The target domains, and the others by their velocities, which get three times as much later.
   */
  private Map<String, String> twoGroups() {
    List<String> targets = demo.targetDomainsOf(domains);
    List<String> others = domains.stream().filter(domain -> !targets.contains(domain)).toList();
    Map<String, String> tree = new TreeMap<>();
    tree.put("groups.target.domains", String.join(" ", targets));
    tree.put("stages.1.ratios.target", "1");
    if (others.isEmpty()) {
      return tree;
    }
    tree.put("groups.others.domains", String.join(" ", others));
    tree.put("groups.others.policy.velocitune.target-fraction", TARGET_FRACTION);
    tree.put("stages.1.ratios.others", "1");
    long rounds = Math.max(1, demo.steps() / 2 / demo.updateEvery());
    tree.put("stages.1.until", rounds * demo.updateEvery() + demo.lag() + " batches");
    tree.put("stages.2.ratios.target", "1");
    tree.put("stages.2.ratios.others", "3");
    return tree;
  }
}
