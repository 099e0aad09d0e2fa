package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.split.EnumeratorState;
import io.sluice.jobs.mix.split.MixSplit;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each run that the control log starts to a reader. A bounded one tells the readers that
 * there are no more splits once all runs are given out that the log held when it began.
 */
final class MixtureEnumerator implements SplitEnumerator<MixSplit, EnumeratorState> {
  private static final Logger LOG = LoggerFactory.getLogger(MixtureEnumerator.class);

  private final SplitEnumeratorContext<MixSplit> context;
  private final RunDiscovery discovery;
  private final Duration interval;
  private final Boundedness boundedness;
  private final Assignment assignment;
  private final Set<Integer> complete = new HashSet<>();
  private final Set<String> flushed = new HashSet<>();
  private boolean foundAll;
  private Map<Integer, Long> controlOffsets;

  MixtureEnumerator(
      SplitEnumeratorContext<MixSplit> context,
      RunDiscovery discovery,
      Duration interval,
      Boundedness boundedness,
      EnumeratorState state) {
    this.context = context;
    this.discovery = discovery;
    this.interval = interval;
    this.boundedness = boundedness;
    this.assignment = new Assignment(state);
    this.controlOffsets = state.controlOffsets();
  }

  @Override
  public void start() {
    context.callAsync(discovery::next, this::discovered, 0, interval.toMillis());
  }

  private void discovered(RunDiscovery.@Nullable Found found, @Nullable Throwable error) {
    if (error != null || found == null) {
      LOG.warn("Cannot look for new runs, trying again", error);
      return;
    }
    if (foundAll) {
      return;
    }
    controlOffsets = found.offsets();
    found.splits().forEach(assignment::discovered);
    found.ended().forEach(assignment::ended);
    foundAll = boundedness == Boundedness.BOUNDED && found.all();
    assign();
  }

  private void assign() {
    Set<Integer> open = new HashSet<>(context.registeredReaders().keySet());
    open.removeAll(complete);
    Map<Integer, List<MixSplit>> given = assignment.assign(open);
    if (!given.isEmpty()) {
      given.forEach(
          (reader, splits) ->
              LOG.info(
                  "Reader {} gets {}", reader, splits.stream().map(MixSplit::splitId).toList()));
      context.assignSplits(new SplitsAssignment<>(given));
    }
    if (foundAll && assignment.isSettled()) {
      open.retainAll(assignment.ready());
      open.forEach(context::signalNoMoreSplits);
      complete.addAll(open);
    }
  }

  @Override
  public void addReader(int subtask) {
    complete.remove(subtask);
    assignment.registered(subtask);
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    if (event instanceof ReaderEvent.Owns owns) {
      assignment.owns(subtask, owns.splitIds(), context.currentParallelism());
      owns.splitIds().forEach(flushed::remove);
      assign();
    } else if (event instanceof ReaderEvent.Ended ended) {
      assignment.ended(ended.splitId());
    } else if (event instanceof ReaderEvent.Flushed done) {
      flushed(done.splitId());
    }
  }

  private void flushed(String splitId) {
    flushed.add(splitId);
    Map<String, Integer> runs = assignment.whole(flushed);
    if (!runs.isEmpty()) {
      flushed.removeIf(id -> runs.containsKey(MixSplit.runIdOf(id)));
      discovery.delivered(runs);
    }
  }

  @Override
  public void addSplitsBack(List<MixSplit> splits, int subtask) {
    assignment.returned(splits);
    assign();
  }

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    // Splits are given, not asked for.
  }

  @Override
  public EnumeratorState snapshotState(long checkpointId) {
    return assignment.snapshot(controlOffsets);
  }

  @Override
  public void close() {
    discovery.close();
  }
}
