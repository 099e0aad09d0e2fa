package io.sluice.control.bundle;

import io.sluice.control.history.RunHistory;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.RunState;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many blocks of each lane of each domain a run was ever granted, epochs counted through.
 *
 * @param ordinals the next one, by domain and lane
 */
record UsedBlocks(SortedMap<String, SortedMap<Integer, Long>> ordinals) {
  /** Those of all timelines of a run. */
  static UsedBlocks of(RunHistory history) {
    UsedBlocks used = new UsedBlocks(new TreeMap<>());
    List<ControlEntry> entries = history.entries();
    RunState state = null;
    for (int i = 0; i < entries.size(); i++) {
      // The next entry names where this one lies.
      long offset =
          i + 1 < entries.size() ? entries.get(i + 1).basedOn() : entries.get(i).basedOn() + 1;
      if (entries.get(i).body() instanceof Started) {
        state = RunState.started(entries.get(i), offset);
      } else if (state != null) {
        state.apply(entries.get(i), offset);
      }
      if (state != null) {
        used.raise(state);
      }
    }
    return used;
  }

  private void raise(RunState state) {
    long[] next = state.ordinals();
    List<String> domains = state.settings().domains();
    for (int at = 0; at < next.length; at++) {
      ordinals
          .computeIfAbsent(domains.get(at % domains.size()), unknown -> new TreeMap<>())
          .merge(at / domains.size(), next[at], Math::max);
    }
  }

  /** The next ordinal of a lane of a domain. */
  long next(String domain, int lane) {
    SortedMap<Integer, Long> lanes = ordinals.get(domain);
    return lanes == null ? 0 : lanes.getOrDefault(lane, 0L);
  }
}
