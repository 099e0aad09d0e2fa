package io.sluice.jobs.mix.reweight;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader that keeps the splits of topics that are gone, and reads them from the start once a
 * topic of that name is there again. Of topics that nobody makes twice, it keeps none. A split that
 * comes twice is read once: where a look for topics takes longer than it is to the next one,
 * Flink's enumerator gives out what the first has found once more, to be read from its start again.
 */
final class PresentTopicsReader<T> implements SourceReader<T, KafkaPartitionSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(PresentTopicsReader.class);
  private static final long CHECK_SECONDS = 5;

  private final SourceReader<T, KafkaPartitionSplit> reader;
  private final TopicNames topics;
  private final String onceOnly;
  private final Map<String, KafkaPartitionSplit> gone = new HashMap<>();
  private final Set<String> known = new HashSet<>();
  private final ScheduledExecutorService checks =
      Executors.newSingleThreadScheduledExecutor(PresentTopicsReader::daemon);
  private volatile Set<String> awaited = Set.of();
  private volatile Set<String> back = Set.of();
  private volatile CompletableFuture<Void> returned = new CompletableFuture<>();

  /** Names of the topics that exist. */
  interface TopicNames {
    Set<String> present() throws InterruptedException;
  }

  /**
   * @param onceOnly how the names begin of topics that are never made again once they are gone
   */
  PresentTopicsReader(
      SourceReader<T, KafkaPartitionSplit> reader, TopicNames topics, String onceOnly) {
    this.reader = reader;
    this.topics = topics;
    this.onceOnly = onceOnly;
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body, "sluice-present-topics");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void start() {
    reader.start();
    var unused =
        checks.scheduleWithFixedDelay(this::check, CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
  }

  /** Looks whether a topic has come back; in the checks' thread. */
  void check() {
    Set<String> names = awaited;
    if (names.isEmpty()) {
      return;
    }
    try {
      Set<String> found = new HashSet<>(topics.present());
      found.retainAll(names);
      if (!found.isEmpty()) {
        back = Set.copyOf(found);
        returned.complete(null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("Topics {} may be back, but: {}", names, e.getMessage());
    }
  }

  @Override
  public void addSplits(List<KafkaPartitionSplit> splits) {
    Set<String> present = present();
    List<KafkaPartitionSplit> readable = new ArrayList<>();
    for (KafkaPartitionSplit split : splits) {
      if (!known.add(split.splitId())) {
        LOG.info("Split {} is read already", split.splitId());
      } else if (present.contains(split.getTopic())) {
        readable.add(split);
      } else if (!split.getTopic().startsWith(onceOnly)) {
        LOG.info("Topic {} is gone: it is read again if it comes back", split.getTopic());
        gone.put(split.splitId(), split);
      }
    }
    await();
    if (!readable.isEmpty()) {
      reader.addSplits(readable);
    }
  }

  private Set<String> present() {
    try {
      return topics.present();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while listing the topics", e);
    }
  }

  private void await() {
    awaited = Set.copyOf(gone.values().stream().map(KafkaPartitionSplit::getTopic).toList());
  }

  /** Reads what has come back; in the task's thread. */
  void takeBack() {
    Set<String> names = back;
    if (names.isEmpty()) {
      return;
    }
    back = Set.of();
    returned = new CompletableFuture<>();
    List<KafkaPartitionSplit> readable =
        gone.values().stream().filter(split -> names.contains(split.getTopic())).toList();
    gone.values().removeAll(readable);
    await();
    // It is another topic: offsets of the one before mean nothing in it.
    reader.addSplits(
        readable.stream()
            .map(
                split ->
                    new KafkaPartitionSplit(
                        split.getTopicPartition(), KafkaPartitionSplit.EARLIEST_OFFSET))
            .toList());
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    takeBack();
    return reader.pollNext(output);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    CompletableFuture<Void> available = reader.isAvailable();
    return gone.isEmpty() || available.isDone()
        ? available
        : CompletableFuture.anyOf(available, returned).thenAccept(any -> {});
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    List<KafkaPartitionSplit> splits = new ArrayList<>(reader.snapshotState(checkpointId));
    splits.addAll(gone.values());
    return splits;
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    reader.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    reader.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    reader.handleSourceEvents(event);
  }

  @Override
  public void pauseOrResumeSplits(Collection<String> pause, Collection<String> resume) {
    reader.pauseOrResumeSplits(
        pause.stream().filter(id -> !gone.containsKey(id)).toList(),
        resume.stream().filter(id -> !gone.containsKey(id)).toList());
  }

  @Override
  public void notifyNoMoreSplits() {
    reader.notifyNoMoreSplits();
  }

  @Override
  public void close() throws Exception {
    checks.shutdownNow();
    reader.close();
  }
}
