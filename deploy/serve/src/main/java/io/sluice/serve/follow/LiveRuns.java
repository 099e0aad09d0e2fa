package io.sluice.serve.follow;

import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.history.RunStatuses;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStatus;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs that go on, and what each mixes. */
public final class LiveRuns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveRuns.class);
  private static final Set<String> LIVE = Set.of("running", "paused");

  private final KafkaAccess access;
  private final Feed feed;
  private final Map<String, LiveRun> runs = new ConcurrentSkipListMap<>();
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
  private final ExecutorService opening;

  /** No run is known yet. */
  public LiveRuns(KafkaAccess access) {
    this.access = access;
    feed = new Feed(access, "sluice-live-runs");
    opening =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "sluice-opening");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Begins to follow those that go on, and lets the others go. */
  public void follow(RunStatuses statuses) {
    Set<String> live =
        statuses.runs().values().stream()
            .filter(status -> LIVE.contains(status.getPhase()))
            .map(RunStatus::getRunId)
            .collect(Collectors.toSet());
    opening.execute(
        () -> {
          runs.keySet().stream().filter(runId -> !live.contains(runId)).forEach(this::leave);
          live.stream()
              .filter(runId -> !runs.containsKey(runId) && !unreadable.contains(runId))
              .forEach(this::open);
        });
  }

  private void open(String runId) {
    try {
      RunLogs logs = RunLogs.of(access);
      RunStart start = logs.byId(runId).orElse(null);
      // A log that several runs share is of a service of long ago: its runs have their statuses.
      if (start == null || !start.topic().equals(access.topics().control(runId))) {
        unreadable.add(runId);
        return;
      }
      LiveRun run = new LiveRun(logs.fold(start));
      runs.put(runId, run);
      feed.follow(run.topic(), run.next(), run.reader(() -> leave(runId)));
    } catch (RuntimeException e) {
      unreadable.add(runId);
      LOG.warn("the log of run {} cannot be read; it has no metrics by domain", runId, e);
    }
  }

  private void leave(String runId) {
    LiveRun run = runs.remove(runId);
    if (run != null) {
      feed.leave(run.topic());
    }
  }

  /** Those that are followed, by run id. */
  public Map<String, LiveRun> now() {
    return Map.copyOf(runs);
  }

  @Override
  public void close() {
    opening.shutdownNow();
    feed.close();
  }
}
