package io.sluice.control.audit;

import io.sluice.control.history.RunHistory;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the control log of a run implies for each of its timelines.
 *
 * @param expectations by timeline, each at its first sequence
 * @param domains of the run at any time
 */
record Timelines(TreeMap<Integer, Expectation> expectations, Set<String> domains) {
  /** Of a run as it is logged. */
  static Timelines of(RunHistory history) {
    Timelines all = new Timelines(new TreeMap<>(), new TreeSet<>(history.spec().getDomains()));
    int planVersion = ((Started) history.entries().get(0).body()).planVersion();
    for (ControlEntry entry : history.entries()) {
      all.take(entry, planVersion);
    }
    return all;
  }

  /** Largest Σ w·G − sequences of any domain after any batch so far, in sequences. */
  double mostBehind() {
    return expectations.values().stream().mapToDouble(Expectation::mostBehind).max().orElse(0);
  }

  /** Smallest Σ w·G − sequences of any domain after any batch so far, in sequences. */
  double mostAhead() {
    return expectations.values().stream().mapToDouble(Expectation::mostAhead).min().orElse(0);
  }

  private void take(ControlEntry entry, int planVersion) {
    if (entry.body() instanceof Started started) {
      open(planVersion, entry.timeline(), started.settings(), started.snapshot());
    } else if (entry.body() instanceof Revised revised
        && !expectations.containsKey(entry.timeline())) {
      open(planVersion, entry.timeline(), revised.settings(), revised.snapshot());
    } else {
      if (entry.body() instanceof Revised revised) {
        domains.addAll(revised.settings().domains());
      }
      Objects.requireNonNull(expectations.get(entry.timeline())).add(entry);
    }
  }

  private void open(int planVersion, int timeline, RunSettings settings, Snapshot begin) {
    domains.addAll(settings.domains());
    expectations.put(timeline, new Expectation(planVersion, timeline, settings, begin));
  }
}
