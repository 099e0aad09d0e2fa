package io.sluice.mixture.round;

import io.sluice.mixture.round.TallyEntry.Open;
import io.sluice.mixture.round.TallyEntry.Won;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The attempts at one metric of a step, in the order in which they began, or the one that won.
 *
 * <p>The ranks of an attempt are added up in rank order once all have reported: sums of doubles
 * that were taken as they come would depend on the order in their last bits.
 */
final class AttemptTally {
  private final Journal journal;
  private final Map<String, TreeMap<Integer, Kept>> attempts = new LinkedHashMap<>();
  private long sums;
  private @Nullable Won won;
  private long wonNumber;

  /** Where the step's entries are kept. */
  interface Journal {
    /** Keeps an entry, and returns its number, above those of all entries before. */
    long keep(byte[] entry);

    /** Drops the entry of that number. */
    void drop(long number);
  }

  /** A report and the number of its entry. */
  private record Kept(long number, Report report) {}

  AttemptTally(Journal journal) {
    this.journal = journal;
  }

  /** Takes back what was kept; in the order of the numbers. */
  void restore(long number, TallyEntry entry) {
    if (entry instanceof Open open) {
      put(number, open.report());
    } else {
      won = (Won) entry;
      wonNumber = number;
    }
  }

  StepReports.Offer offer(Report report) {
    if (won != null) {
      return StepReports.Offer.DECIDED;
    }
    if (!hasRoom(report)) {
      return StepReports.Offer.TOO_MANY;
    }
    SortedMap<Integer, Kept> heard = attempts.getOrDefault(report.attempt(), new TreeMap<>());
    if (!heard.isEmpty() && worldSize(heard) != report.worldSize()) {
      return StepReports.Offer.WORLD_SIZE_DIFFERS;
    }
    if (heard.containsKey(report.rank())) {
      return StepReports.Offer.DUPLICATE;
    }
    SortedMap<Integer, Kept> ranks =
        put(journal.keep(AttemptTallyCodec.encode(new Open(report))), report);
    if (ranks.size() == report.worldSize()) {
      win(Won.of(ranks.values().stream().map(Kept::report).toList()));
    }
    return StepReports.Offer.COUNTED;
  }

  /**
   * Whether the report can be kept, if need be in place of the oldest attempt that no second rank
   * has joined: repeated measurements must not pile up, nor push out one that is under way.
   */
  private boolean hasRoom(Report report) {
    if (sums + report.sums().length > StepReports.MAX_SUMS) {
      return false;
    }
    if (attempts.size() < StepReports.MAX_ATTEMPTS || attempts.containsKey(report.attempt())) {
      return true;
    }
    Optional<Map.Entry<String, TreeMap<Integer, Kept>>> alone =
        attempts.entrySet().stream().filter(attempt -> attempt.getValue().size() == 1).findFirst();
    alone.ifPresent(
        attempt -> {
          drop(attempt.getValue());
          attempts.remove(attempt.getKey());
        });
    return alone.isPresent();
  }

  private SortedMap<Integer, Kept> put(long number, Report report) {
    TreeMap<Integer, Kept> ranks =
        attempts.computeIfAbsent(report.attempt(), attempt -> new TreeMap<>());
    ranks.put(report.rank(), new Kept(number, report));
    sums += report.sums().length;
    return ranks;
  }

  private void win(Won winner) {
    long number = journal.keep(AttemptTallyCodec.encode(winner));
    clear();
    won = winner;
    wonNumber = number;
  }

  /** Drops all that is kept. */
  void clear() {
    attempts.values().forEach(this::drop);
    attempts.clear();
    if (won != null) {
      journal.drop(wonNumber);
      won = null;
    }
  }

  private void drop(Map<Integer, Kept> ranks) {
    for (Kept kept : ranks.values()) {
      journal.drop(kept.number());
      sums -= kept.report().sums().length;
    }
  }

  /** The attempt that won. */
  Optional<Won> won() {
    return Optional.ofNullable(won);
  }

  /** Who has reported, for people: {@code attempt: ranks of world size}. */
  List<String> heard() {
    List<String> heard = new ArrayList<>();
    attempts.forEach((attempt, ranks) -> heard.add(heard(attempt, ranks.size(), worldSize(ranks))));
    if (won != null) {
      heard.add(heard(won.attempt(), won.worldSize(), won.worldSize()));
    }
    return heard;
  }

  private static int worldSize(SortedMap<Integer, Kept> ranks) {
    return ranks.values().iterator().next().report().worldSize();
  }

  private static String heard(String attempt, int ranks, int worldSize) {
    return attempt + ": " + ranks + " of " + worldSize + " ranks";
  }
}
