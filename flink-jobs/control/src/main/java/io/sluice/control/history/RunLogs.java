package io.sluice.control.history;

import io.sluice.control.error.BadInputException;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The control logs of runs. A run has one of its own; the entries of runs that were started before
 * that was so are together in one topic.
 */
public final class RunLogs {
  private final LogSource source;
  private final Topics topics;

  /** The logs that a source has. */
  public RunLogs(LogSource source, Topics topics) {
    this.source = source;
    this.topics = topics;
  }

  /** The logs in Kafka. */
  public static RunLogs of(KafkaAccess access) {
    return new RunLogs(new KafkaLogSource(access), access.topics());
  }

  /** Every run that has started, oldest first. */
  public List<RunStart> starts() {
    return starts(runId -> true);
  }

  /** Those of these runs that have started, oldest first. */
  public List<RunStart> starts(Predicate<String> runIds) {
    Set<String> own = ownLogs("");
    List<RunStart> found =
        new ArrayList<>(shared(runIds.and(runId -> !own.contains(topics.control(runId)))));
    int prefix = topics.control("").length();
    found.addAll(
        own(
            own.stream()
                .filter(log -> runIds.test(log.substring(prefix)))
                .collect(Collectors.toSet())));
    found.sort(Comparator.comparingLong(RunStart::logTime));
    return List.copyOf(found);
  }

  /** The runs of a name that have started and have a log of their own, oldest first. */
  public List<RunStart> own(String name) {
    return own(ownLogs(name + "."));
  }

  /** The runs of a name that have started and share their log, oldest first. */
  public List<RunStart> shared(String name) {
    Set<String> own = ownLogs(name + ".");
    return shared(runId -> !own.contains(topics.control(runId))).stream()
        .filter(start -> start.name().equals(name))
        .toList();
  }

  /** The run that was started last under a name. */
  public Optional<RunStart> newest(String name) {
    return last(own(name)).or(() -> last(shared(name)));
  }

  private static Optional<RunStart> last(List<RunStart> starts) {
    return starts.isEmpty() ? Optional.empty() : Optional.of(starts.get(starts.size() - 1));
  }

  /**
   * The run that was started last under a name.
   *
   * @throws BadInputException if there is none; the message names those there are
   */
  public RunStart require(String name) {
    return newest(name)
        .orElseThrow(
            () -> {
              Set<String> known = new TreeSet<>();
              starts().forEach(start -> known.add(start.name()));
              return new BadInputException("run must be one of " + known + ": '" + name + "'");
            });
  }

  /** The topic that a run's entries are in. */
  public String topic(String runId) {
    String own = topics.control(runId);
    return source.exists(own) ? own : topics.control();
  }

  /** The run of an id, if it has started. */
  public Optional<RunStart> byId(String runId) {
    String topic = topic(runId);
    return last(topic.equals(topics.control()) ? shared(runId::equals) : own(Set.of(topic)));
  }

  /** What a run's log folds to now; what is before a snapshot in it is not read. */
  public RunFold fold(RunStart start) {
    return readAfter(start, Long.MAX_VALUE, RunFold::begun);
  }

  /**
   * Reads a run's log for what follows a batch, from the last snapshot in it that is not after
   * that.
   *
   * @param begun what the first entry alone folds to: the run's first, or the snapshot
   */
  RunFold readAfter(RunStart start, long batch, Function<LoggedEntry, RunFold> begun) {
    if (start.topic().equals(topics.control(start.runId()))) {
      LogBeginning found = source.before(start.runId(), batch).orElse(null);
      if (found != null && found.snapshot().isPresent()) {
        LogReading reading = new LogReading(start, found.offset(), begun, entry -> {});
        source.readFrom(start.topic(), found.offset(), reading::take);
        if (reading.isBegun()) {
          return reading.fold();
        }
      }
    }
    return read(start, begun, entry -> {});
  }

  /**
   * What a run's log folds to now, every entry of it read.
   *
   * @param accepted takes the entries that apply, oldest first
   */
  public RunFold fold(RunStart start, Consumer<ControlEntry> accepted) {
    return read(start, RunFold::begun, accepted);
  }

  /**
   * Reads a run's log.
   *
   * @param begun what the first entry alone folds to
   */
  RunFold read(
      RunStart start, Function<LoggedEntry, RunFold> begun, Consumer<ControlEntry> accepted) {
    LogReading reading = new LogReading(start, start.offset(), begun, accepted);
    source.read(start.topic(), reading::take);
    return reading.fold();
  }

  /** The names of the logs of single runs whose ids begin so. */
  private Set<String> ownLogs(String runIds) {
    return source.topics(topics.control(runIds));
  }

  private List<RunStart> own(Set<String> logs) {
    List<RunStart> found = new ArrayList<>();
    source.heads(
        logs,
        message -> {
          Optional<RunStart> start =
              LoggedEntry.read(message, runId -> topics.control(runId).equals(message.topic()))
                  .flatMap(LoggedEntry::start);
          start.ifPresent(found::add);
          return start.isPresent();
        });
    found.sort(Comparator.comparingLong(RunStart::logTime));
    return found;
  }

  /** The first start of each run id in the log that runs shared, in its order. */
  private List<RunStart> shared(Predicate<String> runIds) {
    Map<String, RunStart> found = new LinkedHashMap<>();
    if (source.exists(topics.control())) {
      source.read(
          topics.control(),
          message ->
              LoggedEntry.read(message, runIds.and(runId -> !found.containsKey(runId)))
                  .flatMap(LoggedEntry::start)
                  .ifPresent(start -> found.put(start.runId(), start)));
    }
    return List.copyOf(found.values());
  }
}
