package io.sluice.control.controller;

import io.sluice.mixture.round.StepReports;
import java.util.Map;
import java.util.TreeMap;

/** Keeps each report in a part of its own. */
record StoredReports(RunStore store) implements StepReports.Journal {
  /** Followed by the step, a slash, and the number of the step's entry. */
  private static final String PREFIX = "report/";

  /**
   * The reports that were kept.
   *
   * @param parts everything in the store
   */
  static StepReports open(RunStore store, Map<String, byte[]> parts) {
    Map<Long, TreeMap<Long, byte[]>> steps = new TreeMap<>();
    parts.forEach(
        (part, entry) -> {
          if (part.startsWith(PREFIX)) {
            String[] place = part.substring(PREFIX.length()).split("/", -1);
            steps
                .computeIfAbsent(Long.valueOf(place[0]), step -> new TreeMap<>())
                .put(Long.valueOf(place[1]), entry);
          }
        });
    return StepReports.restore(steps, new StoredReports(store));
  }

  @Override
  public void keep(long step, long number, byte[] entry) {
    store.put(part(step, number), entry);
  }

  @Override
  public void drop(long step, long number) {
    store.remove(part(step, number));
  }

  private static String part(long step, long number) {
    return PREFIX + step + "/" + number;
  }
}
