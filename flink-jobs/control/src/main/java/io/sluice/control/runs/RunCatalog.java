package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.history.RunStatuses;
import io.sluice.mixture.log.BrokenLogException;
import io.sluice.mixture.log.InvariantViolatedException;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Every run that is known, by the start of its log, its status, or both. Where runs stand is taken
 * from their statuses, so that no log is read for it.
 */
public final class RunCatalog {
  private final RunLogs logs;
  private final Map<String, RunStatus> statuses;
  private final Map<String, Map<Integer, String>> waits;
  private final Map<String, String> sealing;

  /**
   * One run.
   *
   * @param start absent if the run was refused before it started, or its log is gone
   * @param status absent until MixJob has said something
   * @param fold of its log, where that was read
   * @param emission by lane: why granted batches are not emitted
   */
  public record Entry(
      String runId,
      Optional<RunStart> start,
      Optional<RunStatus> status,
      Optional<RunFold> fold,
      Map<Integer, String> emission) {
    /** The name that people use. */
    public String name() {
      return start.map(RunStart::name).or(() -> status.map(RunStatus::getRun)).orElse(runId);
    }

    /**
     * The phase: a failure or deletion that only the status knows, else what the log says. Where
     * that was not read, the status tells of a run that has started.
     */
    public String phase() {
      return status
          .map(RunStatus::getPhase)
          .filter(phase -> phase.equals("failed") || phase.equals("deleted"))
          .or(() -> fold.map(read -> read.state().phase().wireName()))
          .or(() -> start.flatMap(started -> status.map(RunStatus::getPhase)))
          .orElse("unknown");
    }

    /** Whether it goes on no more. */
    public boolean ended() {
      return hasEnded(phase());
    }

    /** The last granted batch, of a run that has started. */
    public Optional<Long> granted() {
      return fold.map(read -> read.state().position().granted())
          .or(() -> start.flatMap(started -> status.map(RunStatus::getGranted)));
    }

    /** What it waits for, or why it failed; '' for nothing. */
    public String waiting() {
      return RunStatuses.waiting(status.map(RunStatus::getWaiting).orElse(""), emission);
    }

    /** The same with what its log folds to now; a log that contradicts itself tells nothing. */
    public Entry folded(RunLogs logs) {
      try {
        return new Entry(runId, start, status, start.map(logs::fold), emission);
      } catch (BrokenLogException | InvariantViolatedException | IllegalArgumentException e) {
        return new Entry(runId, start, status, Optional.empty(), emission);
      }
    }
  }

  /** The runs of these logs with these statuses, by run id. */
  RunCatalog(RunLogs logs, RunStatuses statuses) {
    this.logs = logs;
    this.statuses = statuses.runs();
    this.waits = statuses.waits();
    this.sealing = statuses.sealing();
  }

  /** The catalog of all runs, with their statuses as they are now. */
  public static RunCatalog read(KafkaAccess access) {
    return new RunCatalog(RunLogs.of(access), RunStatuses.read(access));
  }

  /** All runs, oldest first, and then those without a start. */
  public List<Entry> entries() {
    return entriesWithout(Set.of());
  }

  /**
   * The same without some.
   *
   * @param runIds of which nothing is read
   */
  public List<Entry> entriesWithout(Set<String> runIds) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    logs.starts(runId -> !runIds.contains(runId))
        .forEach(start -> entries.put(start.runId(), started(start)));
    statuses.keySet().stream()
        .filter(runId -> !runIds.contains(runId))
        .forEach(runId -> entries.computeIfAbsent(runId, this::notStarted));
    return List.copyOf(entries.values());
  }

  /** Ids of the runs that have ended, as their statuses say, but for those that ended last. */
  public Set<String> endedBefore(int last) {
    return statuses.values().stream()
        .filter(status -> hasEnded(status.getPhase()))
        .sorted(Comparator.comparingLong(RunStatus::getTimeMillis).reversed())
        .skip(last)
        .map(RunStatus::getRunId)
        .collect(Collectors.toSet());
  }

  /** Why blocks of a dataset are not put into its store; empty while they are, or need not be. */
  public Optional<String> sealing(String dataset) {
    return Optional.ofNullable(sealing.get(dataset));
  }

  private static boolean hasEnded(String phase) {
    return Arrays.stream(RunPhase.values())
        .anyMatch(each -> each.ended() && each.wireName().equals(phase));
  }

  /**
   * The newest run of a name that is not deleted. One that was refused before it started has no
   * stream of its own: it is found only where no run of the name has started.
   */
  public Optional<Entry> find(String name) {
    List<RunStart> own = logs.own(name);
    Optional<Entry> found = newest(own.stream().map(this::started).toList());
    if (found.isPresent()) {
      return found;
    }
    List<RunStart> started = new ArrayList<>(own);
    started.addAll(logs.shared(name));
    List<Entry> candidates = new ArrayList<>();
    statuses.forEach(
        (runId, status) -> {
          if (status.getRun().equals(name)
              && started.stream().noneMatch(start -> start.runId().equals(runId))) {
            candidates.add(notStarted(runId));
          }
        });
    started.forEach(start -> candidates.add(started(start)));
    return newest(candidates);
  }

  private static Optional<Entry> newest(List<Entry> candidates) {
    return candidates.stream()
        .filter(entry -> !entry.phase().equals("deleted"))
        .reduce((older, newer) -> newer);
  }

  /**
   * The newest run of a name.
   *
   * @throws BadInputException if there is none; names those there are
   */
  public Entry require(String name) {
    return find(name)
        .orElseThrow(
            () -> {
              Set<String> known = new TreeSet<>();
              entries().stream()
                  .filter(entry -> !entry.phase().equals("deleted"))
                  .forEach(entry -> known.add(entry.name()));
              return new BadInputException("run must be one of " + known + ": '" + name + "'");
            });
  }

  /** A run whose log is read only if no status says where it stands. */
  private Entry started(RunStart start) {
    Optional<RunStatus> status = Optional.ofNullable(statuses.get(start.runId()));
    Entry entry =
        new Entry(
            start.runId(), Optional.of(start), status, Optional.empty(), emission(start.runId()));
    return status.isPresent() ? entry : entry.folded(logs);
  }

  private Entry notStarted(String runId) {
    return new Entry(
        runId,
        Optional.empty(),
        Optional.ofNullable(statuses.get(runId)),
        Optional.empty(),
        emission(runId));
  }

  private Map<Integer, String> emission(String runId) {
    return waits.getOrDefault(runId, Map.of());
  }
}
