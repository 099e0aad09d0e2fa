package io.sluice.control.history;

import io.sluice.mixture.decide.BatchSnapshots;
import io.sluice.schema.KafkaAccess;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a run's log says of some of its batches, and of the run now. Read from the last snapshot
 * before those batches, and what was granted after them is not kept.
 *
 * @param batches the run's state as of each
 */
public record RunPast(RunFold fold, BatchSnapshots batches) {
  /**
   * Reads the log of a run that has started.
   *
   * @param first first batch that is asked for
   * @param last last one
   */
  public static RunPast read(KafkaAccess access, RunStart start, long first, long last) {
    return read(RunLogs.of(access), start, first, last);
  }

  static RunPast read(RunLogs logs, RunStart start, long first, long last) {
    AtomicReference<@Nullable BatchSnapshots> batches = new AtomicReference<>();
    RunFold fold =
        logs.readAfter(
            start,
            first,
            entry -> {
              BatchSnapshots begun =
                  new BatchSnapshots(entry.entry(), entry.message().offset(), last);
              batches.set(begun);
              return new RunFold(entry, begun.state(), begun::apply);
            });
    return new RunPast(fold, Objects.requireNonNull(batches.get()));
  }
}
