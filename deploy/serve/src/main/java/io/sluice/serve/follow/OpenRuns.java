package io.sluice.serve.follow;

import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The runs that somebody looks at, at most so many of them: who opens another lets the one go that
 * nobody has looked at for longest.
 */
public final class OpenRuns implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final KafkaAccess access;
  private final int most;
  private final Consumer<String> changed;
  private final Map<String, OpenRun> runs = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * No run is open yet.
   *
   * @param changed told of a run that has come further; it must return at once
   */
  public OpenRuns(KafkaAccess access, int most, Consumer<String> changed) {
    this.access = access;
    this.most = most;
    this.changed = changed;
  }

  /** A run, all of which that was there is read; empty if no run of that id has started. */
  public Optional<OpenRun> find(String runId) throws InterruptedException {
    Optional<OpenRun> run = opened(runId);
    if (run.isPresent()) {
      run.get().awaitWhole(PATIENCE);
    }
    return run;
  }

  /** Whether a run is open. */
  public synchronized boolean isOpen(String runId) {
    return runs.containsKey(runId);
  }

  private synchronized Optional<OpenRun> opened(String runId) {
    OpenRun known = runs.get(runId);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<RunStart> start = RunLogs.of(access).byId(runId);
    start.ifPresent(
        found -> runs.put(runId, new OpenRun(access, found, () -> changed.accept(runId))));
    for (Iterator<OpenRun> eldest = runs.values().iterator(); runs.size() > most; ) {
      eldest.next().close();
      eldest.remove();
    }
    return Optional.ofNullable(runs.get(runId));
  }

  @Override
  public synchronized void close() {
    runs.values().forEach(OpenRun::close);
    runs.clear();
  }
}
