package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Every run that the logs know: its history, its status, or both. */
public final class RunCatalog {
  private final List<Entry> entries = new ArrayList<>();

  /**
   * One run.
   *
   * @param history absent if the run was refused before it started
   * @param status absent until MixJob has said something
   */
  public record Entry(String runId, Optional<RunHistory> history, Optional<RunStatus> status) {
    /** The name that people use. */
    public String name() {
      return history.map(RunHistory::name).or(() -> status.map(RunStatus::getRun)).orElse(runId);
    }

    /** The phase: a failure or deletion that only the status knows, else what the log says. */
    public String phase() {
      return status
          .map(RunStatus::getPhase)
          .filter(phase -> phase.equals("failed") || phase.equals("deleted"))
          .or(() -> history.map(h -> h.state().phase().wireName()))
          .orElse("unknown");
    }

    /** What it waits for, or why it failed; '' for nothing. */
    public String waiting() {
      return status.map(RunStatus::getWaiting).orElse("");
    }
  }

  public static RunCatalog read(KafkaAccess access) {
    Map<String, RunStatus> statuses = new TopicScan(access).statuses();
    Map<String, RunHistory> histories = RunHistory.readAll(access);
    Set<String> runIds = new LinkedHashSet<>(histories.keySet());
    runIds.addAll(statuses.keySet());
    RunCatalog catalog = new RunCatalog();
    for (String runId : runIds) {
      catalog.entries.add(
          new Entry(
              runId,
              Optional.ofNullable(histories.get(runId)),
              Optional.ofNullable(statuses.get(runId))));
    }
    return catalog;
  }

  /** All runs, oldest first. */
  public List<Entry> entries() {
    return List.copyOf(entries);
  }

  /**
   * The newest run of a name that is not deleted. One that was refused before it started has no
   * topics of its own: it is found only where no run of the name has started.
   */
  public Optional<Entry> find(String name) {
    @Nullable Entry found = null;
    for (Entry entry : entries) {
      boolean hides = found != null && found.history().isPresent() && entry.history().isEmpty();
      if (entry.name().equals(name) && !entry.phase().equals("deleted") && !hides) {
        found = entry;
      }
    }
    return Optional.ofNullable(found);
  }

  /** The run with this id. */
  Optional<Entry> byId(String runId) {
    return entries.stream().filter(entry -> entry.runId().equals(runId)).findFirst();
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
              entries.forEach(entry -> known.add(entry.name()));
              return new BadInputException("run must be one of " + known + ": '" + name + "'");
            });
  }
}
