package io.sluice.jobs.mix.rest;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;

/** A reader that remembers its splits, and hands on what is put into it. */
public final class TestingSourceReader<T> implements SourceReader<T, KafkaPartitionSplit> {
  /** What it was given to read. */
  public final List<KafkaPartitionSplit> splits = new ArrayList<>();

  /** Completes when there is something to read. */
  public final CompletableFuture<Void> available = new CompletableFuture<>();

  final Queue<T> coming = new ArrayDeque<>();
  boolean bySplit;

  @Override
  public void start() {
    splits.clear();
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) {
    T next = coming.poll();
    if (next == null) {
      return InputStatus.NOTHING_AVAILABLE;
    }
    SourceOutput<T> into = bySplit ? output.createOutputForSplit("one") : output;
    into.collect(next);
    return InputStatus.MORE_AVAILABLE;
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    // As Flink's: who is given a split again goes by what it says then.
    Map<String, KafkaPartitionSplit> last = new LinkedHashMap<>();
    splits.forEach(split -> last.put(split.splitId(), split));
    return List.copyOf(last.values());
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return available;
  }

  @Override
  public void addSplits(List<KafkaPartitionSplit> added) {
    splits.addAll(added);
  }

  @Override
  public void notifyNoMoreSplits() {
    splits.clear();
  }

  @Override
  public void close() {
    splits.clear();
  }
}
