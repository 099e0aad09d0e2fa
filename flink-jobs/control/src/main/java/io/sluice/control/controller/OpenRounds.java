package io.sluice.control.controller;

import io.sluice.mixture.log.RunState;
import io.sluice.mixture.round.Report;
import io.sluice.mixture.round.StepReports;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The reports of every step whose round is not closed yet. */
final class OpenRounds {
  /** Followed by the step, a slash, and the number of the step's entry. */
  private static final String PREFIX = "report/";

  private final RunStore store;
  private final TreeMap<Long, StepReports> steps = new TreeMap<>();

  /**
   * The reports that were kept.
   *
   * @param parts everything in the store
   */
  OpenRounds(RunStore store, Map<String, byte[]> parts) {
    this.store = store;
    Map<Long, TreeMap<Long, byte[]>> kept = new TreeMap<>();
    parts.forEach(
        (part, entry) -> {
          if (part.startsWith(PREFIX)) {
            int slash = part.indexOf('/', PREFIX.length());
            long step = Long.parseLong(part, PREFIX.length(), slash, 10);
            long number = Long.parseLong(part, slash + 1, part.length(), 10);
            kept.computeIfAbsent(step, s -> new TreeMap<>()).put(number, entry);
          }
        });
    kept.forEach(
        (step, entries) ->
            steps.put(
                step, StepReports.restore(entries, new StepJournal(step, entries.lastKey() + 1))));
  }

  /** Keeps the reports of a step in parts of their own. */
  private final class StepJournal implements StepReports.Journal {
    private final long step;
    private long next;

    StepJournal(long step, long next) {
      this.step = step;
      this.next = next;
    }

    @Override
    public long keep(byte[] entry) {
      store.put(part(next), entry);
      return next++;
    }

    @Override
    public void drop(long number) {
      store.remove(part(number));
    }

    private String part(long number) {
      return PREFIX + step + "/" + number;
    }
  }

  /** Takes a report; a reason if it does not count. */
  Optional<String> offer(Report report) {
    StepReports reports =
        steps.computeIfAbsent(report.step(), step -> new StepReports(new StepJournal(step, 0)));
    return switch (reports.offer(report)) {
      case COUNTED -> Optional.empty();
      case DUPLICATE -> Optional.of("this rank of the attempt has reported already");
      case DECIDED -> Optional.of("the step is decided (" + reports + ")");
      case TOO_MANY -> Optional.of("too many measurements of the step are open (" + reports + ")");
      case WORLD_SIZE_DIFFERS ->
          Optional.of("world size differs from the attempt's first report (" + reports + ")");
    };
  }

  Optional<StepReports> of(long step) {
    return Optional.ofNullable(steps.get(step));
  }

  /**
   * Forgets the reports of closed rounds, whose decisions the log holds, and of batches that were
   * rewound.
   */
  void follow(RunState state) {
    if (state.settings().updateEvery() == 0) {
      clear();
      return;
    }
    forget(steps.headMap(Report.neededSteps(state).get(0), false));
    forget(steps.tailMap(state.position().granted(), false));
  }

  void clear() {
    forget(steps);
  }

  private static void forget(Map<Long, StepReports> gone) {
    gone.values().forEach(StepReports::clear);
    gone.clear();
  }
}
