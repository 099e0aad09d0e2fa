package io.sluice.jobs.refine.read;

import java.util.List;
import java.util.Optional;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/** Gives the inputs to the first reader that is there. */
final class OneReader implements SplitEnumerator<RefinePosition, Optional<RefinePosition>> {
  private final SplitEnumeratorContext<RefinePosition> context;
  private Optional<RefinePosition> free;

  /**
   * @param free the inputs, if no reader has them
   */
  OneReader(SplitEnumeratorContext<RefinePosition> context, Optional<RefinePosition> free) {
    this.context = context;
    this.free = free;
  }

  @Override
  public void start() {
    // Readers say that they are there.
  }

  @Override
  public void addReader(int subtask) {
    free.ifPresent(position -> context.assignSplit(position, subtask));
    free = Optional.empty();
  }

  @Override
  public void addSplitsBack(List<RefinePosition> splits, int subtask) {
    if (splits.isEmpty()) {
      return; // What the reader had comes back to it with its state.
    }
    free = Optional.of(splits.get(0));
    context.registeredReaders().keySet().stream().findFirst().ifPresent(this::addReader);
  }

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    // Inputs are given, not asked for.
  }

  @Override
  public Optional<RefinePosition> snapshotState(long checkpointId) {
    return free;
  }

  @Override
  public void close() {
    // It has nothing open.
  }
}
