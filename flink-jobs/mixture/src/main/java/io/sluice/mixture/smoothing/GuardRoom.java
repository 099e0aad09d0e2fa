package io.sluice.mixture.smoothing;

import io.sluice.mixture.plan.Weights;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whether there are weights of a run that satisfy its guards. */
record GuardRoom(Guards guards, List<String> domains, Weights initial) {
  void require() {
    requireNames();
    requireRoom();
  }

  private void requireNames() {
    Set<String> known = new TreeSet<>(domains);
    for (String name : guards.least().keySet()) {
      Guards.require(known.contains(name), "min." + name, "name a domain of " + domains, name);
    }
    for (String name : guards.most().keySet()) {
      Guards.require(known.contains(name), "max." + name, "name a domain of " + domains, name);
    }
    for (String name : guards.frozen()) {
      Guards.require(known.contains(name), "frozen", "name domains of " + domains, name);
    }
  }

  private void requireRoom() {
    double lows = 0;
    double highs = 0;
    double left = 1;
    for (int i = 0; i < domains.size(); i++) {
      double low = guards.least().getOrDefault(domains.get(i), 0.0);
      double high = guards.most().getOrDefault(domains.get(i), 1.0);
      Guards.require(low <= high, "min." + domains.get(i), "be at most its max " + high, low);
      boolean held = guards.frozen().contains(domains.get(i));
      left -= held ? initial.share(i) : 0;
      lows += held ? 0 : low;
      highs += held ? 0 : high;
    }
    if (guards.frozen().size() < domains.size()) {
      Guards.require(
          lows <= left + 1e-9, "min", "sum to at most " + left + ", what is not frozen", lows);
      Guards.require(
          highs >= left - 1e-9, "max", "sum to at least " + left + ", what is not frozen", highs);
    }
  }
}
