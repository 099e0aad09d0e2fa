package io.sluice.jobs.mix.rest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;

/**
 * A reader round another one that keeps some splits to itself: nothing is read of them, and they
 * are in its checkpoints as they are.
 */
public abstract class KeepingReader<T> implements SourceReader<T, KafkaPartitionSplit> {
  private final SourceReader<T, KafkaPartitionSplit> reader;

  /** Round a reader that has no splits yet. */
  protected KeepingReader(SourceReader<T, KafkaPartitionSplit> reader) {
    this.reader = reader;
  }

  /** The one that reads the other splits. */
  protected final SourceReader<T, KafkaPartitionSplit> reader() {
    return reader;
  }

  /** The splits that are kept. */
  protected abstract Collection<KafkaPartitionSplit> kept();

  /** What stands in a checkpoint for the splits that are kept. */
  protected Collection<KafkaPartitionSplit> packed(Collection<KafkaPartitionSplit> kept) {
    return kept;
  }

  /** Lets splits be read. */
  protected final void read(List<KafkaPartitionSplit> splits) {
    if (!splits.isEmpty()) {
      reader.addSplits(splits);
    }
  }

  @Override
  public void start() {
    reader.start();
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    return reader.pollNext(output);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return reader.isAvailable();
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    reader.handleSourceEvents(event);
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    List<KafkaPartitionSplit> splits = new ArrayList<>(reader.snapshotState(checkpointId));
    splits.addAll(packed(kept()));
    return splits;
  }

  @Override
  public final void notifyCheckpointComplete(long checkpointId) throws Exception {
    reader.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public final void notifyCheckpointAborted(long checkpointId) throws Exception {
    reader.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public final void pauseOrResumeSplits(Collection<String> pause, Collection<String> resume) {
    Set<String> idle =
        kept().stream().map(KafkaPartitionSplit::splitId).collect(Collectors.toSet());
    reader.pauseOrResumeSplits(
        pause.stream().filter(id -> !idle.contains(id)).toList(),
        resume.stream().filter(id -> !idle.contains(id)).toList());
  }

  @Override
  public final void notifyNoMoreSplits() {
    reader.notifyNoMoreSplits();
  }

  @Override
  public void close() throws Exception {
    reader.close();
  }
}
