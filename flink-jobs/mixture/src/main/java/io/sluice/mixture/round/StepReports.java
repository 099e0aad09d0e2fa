package io.sluice.mixture.round;

import io.sluice.mixture.policy.Observation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The reports of one step, each metric by itself: the first value of each (attempt, rank) counts,
 * and the first attempt that is complete in log order wins the step for ever. Duplicates, late
 * ranks and repeated measurements change nothing.
 */
public final class StepReports {
  /** Most attempts at a metric of a step that are open at once. */
  public static final int MAX_ATTEMPTS = 16;

  /** Most sums of a metric of a step that are kept, over all attempts and ranks. */
  public static final long MAX_SUMS = 1 << 24;

  private static final Journal NOWHERE =
      new Journal() {
        @Override
        public long keep(byte[] entry) {
          return 0;
        }

        @Override
        public void drop(long number) {}
      };

  private final Journal journal;
  private final TreeMap<String, AttemptTally> tallies = new TreeMap<>();

  /**
   * Where a step's reports are kept. Each has an entry of its own: many ranks report, and what the
   * others said before must not be written again for each.
   */
  public interface Journal {
    /**
     * Keeps an entry, which has a version.
     *
     * @return its number, above those of all entries before
     */
    long keep(byte[] entry);

    /** Drops the entry of that number. */
    void drop(long number);
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
   * @param entries of the journal, by number
   * @throws IllegalArgumentException if one is of another version
   */
  public static StepReports restore(SortedMap<Long, byte[]> entries, Journal journal) {
    StepReports reports = new StepReports(journal);
    entries.forEach(
        (number, bytes) -> {
          AttemptTally.Entry entry = AttemptTallyCodec.decode(bytes);
          reports.tally(entry.metric()).restore(number, entry);
        });
    return reports;
  }

  private AttemptTally tally(String metric) {
    return tallies.computeIfAbsent(metric, name -> new AttemptTally(journal));
  }

  /** Takes a report that {@link Report#refusal} does not refuse. */
  public Offer offer(Report report) {
    return tally(report.metric()).offer(report);
  }

  /** Forgets all reports, and drops what is kept of them. */
  public void clear() {
    tallies.values().forEach(AttemptTally::clear);
    tallies.clear();
  }

  /**
   * The measurements that won, their ranks merged in rank order; empty while some metric has none.
   */
  public Optional<Winner> winner(long step, List<String> metrics) {
    Observation merged = Observation.at(step);
    Set<String> attempts = new LinkedHashSet<>();
    for (String metric : metrics) {
      Optional<AttemptTally.Won> won = won(metric);
      if (won.isEmpty()) {
        return Optional.empty();
      }
      merged = merged.with(metric, won.get().sums(), won.get().counts());
      attempts.add(won.get().attempt());
    }
    return Optional.of(new Winner(String.join(",", attempts), merged));
  }

  private Optional<AttemptTally.Won> won(String metric) {
    return Optional.ofNullable(tallies.get(metric)).flatMap(AttemptTally::won);
  }

  /** The metrics of {@code wanted} that no attempt has completed. */
  public List<String> missing(List<String> wanted) {
    return wanted.stream().filter(metric -> won(metric).isEmpty()).toList();
  }

  /** Who has reported, for people: {@code metric attempt: ranks of world size}. */
  @Override
  public String toString() {
    List<String> heard = new ArrayList<>();
    tallies.forEach(
        (metric, tally) -> tally.heard().forEach(attempt -> heard.add(metric + " " + attempt)));
    return String.join(", ", heard);
  }
}
