package io.sluice.jobs.mix.reweight;

import io.sluice.mixture.control.Report;
import io.sluice.mixture.control.RunState;
import io.sluice.mixture.control.StepReports;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The reports of every step whose round is not closed yet. */
final class OpenRounds {
  private static final String PREFIX = "report/";

  private final DeskStore store;
  private final TreeMap<Long, StepReports> steps = new TreeMap<>();

  /**
   * The reports that were kept.
   *
   * @param parts everything in the store
   */
  OpenRounds(DeskStore store, Map<String, byte[]> parts) {
    this.store = store;
    parts.forEach(
        (part, bytes) -> {
          if (part.startsWith(PREFIX)) {
            steps.put(Long.parseLong(part.substring(PREFIX.length())), StepReports.decode(bytes));
          }
        });
  }

  /** Takes a report; a reason if it does not count. */
  Optional<String> offer(Report report) {
    StepReports reports = steps.computeIfAbsent(report.step(), step -> new StepReports());
    StepReports.Offer offer = reports.offer(report);
    if (offer == StepReports.Offer.COUNTED) {
      store.put(PREFIX + report.step(), reports.encode());
      return Optional.empty();
    }
    return Optional.of(
        switch (offer) {
          case DUPLICATE -> "this rank of the attempt has reported already";
          case DECIDED -> "the step is decided (" + reports + ")";
          case TOO_MANY -> "too many measurements of the step are open (" + reports + ")";
          default -> "world size differs from the attempt's first report (" + reports + ")";
        });
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

  private void forget(Map<Long, StepReports> gone) {
    gone.keySet().forEach(step -> store.remove(PREFIX + step));
    gone.clear();
  }
}
