package io.sluice.jobs.mix.tail;

import io.sluice.mixture.log.ControlEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Entries of logs that were read, for who needs them again; of runs for which there is no room,
 * none.
 */
final class KeptEntries {
  private final long room;
  private final Map<String, Run> runs = new HashMap<>();
  private long bytes;

  /** An entry that applied. */
  record Entry(ControlEntry entry, long offset) {}

  private static final class Run {
    final List<Entry> entries = new ArrayList<>();
    boolean whole = true;
    long bytes;
  }

  /**
   * No entries yet.
   *
   * @param room bytes of the records of all of them
   */
  KeptEntries(long room) {
    this.room = room;
  }

  /** Keeps entries of a run from here on. */
  void begin(String runId) {
    drop(runId);
    runs.put(runId, new Run());
  }

  /** Keeps the next entry of a run. */
  void add(ControlEntry entry, long offset, int size) {
    Run run = runs.get(entry.runId());
    if (run == null || !run.whole) {
      return;
    }
    if (bytes + size > room) {
      bytes -= run.bytes;
      run.entries.clear();
      run.whole = false;
      return;
    }
    run.entries.add(new Entry(entry, offset));
    run.bytes += size;
    bytes += size;
  }

  /** The entries of a run; empty if there was no room for all of them. */
  Optional<List<Entry>> of(String runId) {
    Run run = runs.get(runId);
    return run == null || !run.whole ? Optional.empty() : Optional.of(run.entries);
  }

  /** Forgets a run. */
  void drop(String runId) {
    Run run = runs.remove(runId);
    if (run != null && run.whole) {
      bytes -= run.bytes;
    }
  }
}
