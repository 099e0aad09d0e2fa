package io.sluice.jobs.mix.reweight;

import io.sluice.jobs.mix.rest.KeepingReader;
import io.sluice.jobs.mix.rest.RestNews;
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
 * topic of that name is there again. Of topics that nobody makes twice, it keeps none; those that
 * it has read, though, it goes on with if they are there after all. A split that comes twice is
 * read once: where a look for topics takes longer than it is to the next one, Flink's enumerator
 * gives out what the first has found once more, to be read from its start again.
 */
final class PresentTopicsReader<T> extends KeepingReader<T> {
  private static final Logger LOG = LoggerFactory.getLogger(PresentTopicsReader.class);
  private static final long CHECK_SECONDS = 5;

  /** Where the splits are is asked for outside of checkpoints, too: before all of them. */
  private static final long NO_CHECKPOINT = -1;

  /** Where splits end that are let go of: before everything. */
  private static final long NOWHERE = 0;

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

    /** Those among these that exist, as far as is known. */
    Set<String> among(Set<String> names);
  }

  /**
   * @param onceOnly how the names begin of topics that are never made again once they are gone
   */
  PresentTopicsReader(
      SourceReader<T, KafkaPartitionSplit> reader, TopicNames topics, String onceOnly) {
    super(reader);
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
    super.start();
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
      Set<String> found = topics.among(names);
      if (!found.isEmpty()) {
        back = Set.copyOf(found);
        returned.complete(null);
      }
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
    read(readable);
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

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event instanceof RestNews.Gone news) {
      letGo(news.topics());
    } else {
      super.handleSourceEvents(event);
    }
  }

  /**
   * Lets go of splits that are read. A reader of Flink's has no other way than to let it come to
   * their end, and that is before anything: then it asks nobody where it stands, and has no place
   * to commit.
   */
  private void letGo(Set<String> names) {
    List<KafkaPartitionSplit> left =
        reader().snapshotState(NO_CHECKPOINT).stream()
            .filter(split -> names.contains(split.getTopic()) && !isLeft(split))
            .toList();
    left.forEach(
        split -> {
          LOG.info("Topic {} is gone: nothing is read of it", split.getTopic());
          gone.put(split.splitId(), endless(split, split.getStartingOffset()));
        });
    await();
    read(
        left.stream()
            .map(split -> split.getTopicPartition())
            .map(
                from ->
                    new KafkaPartitionSplit(from, KafkaPartitionSplit.COMMITTED_OFFSET, NOWHERE))
            .toList());
  }

  /** The end is named: that of a split that was let go of would hold for one that names none. */
  private static KafkaPartitionSplit endless(KafkaPartitionSplit split, long from) {
    return new KafkaPartitionSplit(split.getTopicPartition(), from, Long.MAX_VALUE);
  }

  /** Reads what has come back; in the task's thread. */
  void takeBack() {
    Set<String> names = back;
    if (names.isEmpty()) {
      return;
    }
    back = Set.of();
    returned = new CompletableFuture<>();
    Set<String> leaving = new HashSet<>();
    reader().snapshotState(NO_CHECKPOINT).stream()
        .filter(PresentTopicsReader::isLeft)
        .forEach(split -> leaving.add(split.splitId()));
    List<KafkaPartitionSplit> readable =
        gone.values().stream()
            .filter(split -> names.contains(split.getTopic()))
            .filter(split -> !leaving.contains(split.splitId()))
            .toList();
    gone.values().removeAll(readable);
    await();
    read(readable.stream().map(this::again).toList());
  }

  /** From the start, if it is another topic: offsets of the one before mean nothing in it. */
  private KafkaPartitionSplit again(KafkaPartitionSplit split) {
    boolean same = split.getTopic().startsWith(onceOnly);
    return endless(split, same ? split.getStartingOffset() : KafkaPartitionSplit.EARLIEST_OFFSET);
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    takeBack();
    return super.pollNext(output);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    CompletableFuture<Void> available = super.isAvailable();
    return gone.isEmpty() || available.isDone()
        ? available
        : CompletableFuture.anyOf(available, returned).thenAccept(any -> {});
  }

  /** Whether a split is one that is let go of, and has not come to its end yet. */
  private static boolean isLeft(KafkaPartitionSplit split) {
    return split.getStoppingOffset().orElse(Long.MAX_VALUE) == NOWHERE;
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    List<KafkaPartitionSplit> splits = super.snapshotState(checkpointId);
    splits.removeIf(PresentTopicsReader::isLeft);
    return splits;
  }

  @Override
  protected Collection<KafkaPartitionSplit> kept() {
    return gone.values();
  }

  @Override
  public void close() throws Exception {
    checks.shutdownNow();
    super.close();
  }
}
