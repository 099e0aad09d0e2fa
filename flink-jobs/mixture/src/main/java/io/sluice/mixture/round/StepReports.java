package io.sluice.mixture.round;

import io.sluice.mixture.log.RunState;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The reports of every step whose round is not closed, each metric by itself: the first value of
 * each (attempt, rank) counts, and the first attempt that is complete in log order wins the step
 * for ever. Duplicates, late ranks and repeated measurements change nothing.
 */
public final class StepReports {
  /** Most attempts at a metric of a step that are open at once. */
  public static final int MAX_ATTEMPTS = 16;

  /** Most sums of a metric of a step that are kept, over all attempts and ranks. */
  public static final long MAX_SUMS = 1 << 24;

  private static final Journal NOWHERE =
      new Journal() {
        @Override
        public void keep(long step, long number, byte[] entry) {}

        @Override
        public void drop(long step, long number) {}
      };

  private final Journal journal;
  private final TreeMap<Long, Step> steps = new TreeMap<>();

  /**
   * Where reports are kept. Each has an entry of its own: many ranks report, and what the others
   * said before must not be written again for each.
   */
  public interface Journal {
    /**
     * Keeps an entry, which has a version.
     *
     * @param number above those of all the step's entries before
     */
    void keep(long step, long number, byte[] entry);

    /** Drops an entry. */
    void drop(long step, long number);
  }

  /** What became of a report. */
  public enum Offer {
    COUNTED,
    DUPLICATE,
    DECIDED,
    WORLD_SIZE_DIFFERS,
    TOO_MANY
  }

  /**
   * The merged measurements that won a step.
   *
   * @param attempt nonces of the winners, without repetition, in the order of the metrics
   */
  public record Winner(String attempt, Observation observation) {}

  /** The metrics of a step, and the numbers of its entries. */
  private final class Step implements AttemptTally.Journal {
    private final long step;
    private final TreeMap<String, AttemptTally> tallies = new TreeMap<>();
    private long next;

    Step(long step) {
      this.step = step;
    }

    private AttemptTally tally(String metric) {
      return tallies.computeIfAbsent(metric, name -> new AttemptTally(this));
    }

    @Override
    public long keep(byte[] entry) {
      journal.keep(step, next, entry);
      return next++;
    }

    @Override
    public void drop(long number) {
      journal.drop(step, number);
    }
  }

  /** No reports yet, and none will be kept. */
  public StepReports() {
    this(NOWHERE);
  }

  /** No reports yet. */
  public StepReports(Journal journal) {
    this.journal = journal;
  }

  /**
   * The reports that were kept.
   *
   * @param entries of the journal, by step and number
   * @throws IllegalArgumentException if one is of another version
   */
  public static StepReports restore(
      Map<Long, ? extends SortedMap<Long, byte[]>> entries, Journal journal) {
    StepReports reports = new StepReports(journal);
    entries.forEach(
        (at, kept) -> {
          Step step = reports.step(at);
          kept.forEach(
              (number, bytes) -> {
                TallyEntry entry = AttemptTallyCodec.decode(bytes);
                step.tally(entry.metric()).restore(number, entry);
                step.next = number + 1;
              });
        });
    return reports;
  }

  private Step step(long at) {
    return steps.computeIfAbsent(at, Step::new);
  }

  /** Takes a report that {@link Report#refusal} does not refuse. */
  public Offer offer(Report report) {
    return step(report.step()).tally(report.metric()).offer(report);
  }

  /**
   * Forgets the reports of closed rounds, whose decisions the log holds, and of batches that were
   * rewound.
   *
   * @param policy the run's; empty if it is not known which rounds still need their reports
   */
  public void follow(RunState state, Optional<Policy> policy) {
    if (state.settings().updateEvery() == 0) {
      clear();
      return;
    }
    policy.ifPresent(p -> forget(steps.headMap(Report.neededSteps(state, p).get(0), false)));
    forget(steps.tailMap(state.position().granted(), false));
  }

  /** Forgets all reports, and drops what is kept of them. */
  public void clear() {
    forget(steps);
  }

  private static void forget(Map<Long, Step> gone) {
    gone.values().forEach(step -> step.tallies.values().forEach(AttemptTally::clear));
    gone.clear();
  }

  /**
   * The measurements that won a step, their ranks merged in rank order; empty while some metric has
   * none.
   */
  public Optional<Winner> winner(long step, List<String> metrics) {
    Observation merged = Observation.at(step);
    Set<String> attempts = new LinkedHashSet<>();
    for (String metric : metrics) {
      Optional<TallyEntry.Won> won = won(step, metric);
      if (won.isEmpty()) {
        return Optional.empty();
      }
      merged = merged.with(metric, won.get().sums(), won.get().counts());
      attempts.add(won.get().attempt());
    }
    return Optional.of(new Winner(String.join(",", attempts), merged));
  }

  private Optional<TallyEntry.Won> won(long step, String metric) {
    return Optional.ofNullable(steps.get(step))
        .flatMap(at -> Optional.ofNullable(at.tallies.get(metric)))
        .flatMap(AttemptTally::won);
  }

  /** Steps that something was reported of, in order. */
  public List<Long> steps() {
    return List.copyOf(steps.keySet());
  }

  /** The metrics of {@code wanted} that no attempt at the step has completed. */
  public List<String> missing(long step, List<String> wanted) {
    return wanted.stream().filter(metric -> won(step, metric).isEmpty()).toList();
  }

  /** Who has reported of a step, for people: {@code metric attempt: ranks of world size}. */
  public String heard(long step) {
    Step at = steps.get(step);
    if (at == null) {
      return "";
    }
    List<String> heard = new ArrayList<>();
    at.tallies.forEach(
        (metric, tally) -> tally.heard().forEach(attempt -> heard.add(metric + " " + attempt)));
    return String.join(", ", heard);
  }
}
