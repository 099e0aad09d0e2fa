package io.sluice.jobs.mix.rest;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds who rests before any topic is looked for, tells the readers, and wakes who is called. */
public final class RestingEnumerator
    implements SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> {
  private static final Logger LOG = LoggerFactory.getLogger(RestingEnumerator.class);

  /** What trainers say of a run that rests is noticed within this time. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** What is gone, readers let go of as soon. */
  private static final Duration LETTING_GO = Duration.ofSeconds(1);

  /** A message between processes must not grow with what a service has behind it. */
  private static final int TOLD_AT_ONCE = 1_000;

  private final SplitEnumeratorContext<KafkaPartitionSplit> context;
  private final SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> enumerator;
  private final RestingRuns runs;
  private final Set<String> known;
  private final Set<Integer> asking = new HashSet<>();
  private final Set<Integer> told = new HashSet<>();
  private @Nullable List<RestingRun> resting;

  /**
   * Round the one that looks for topics, which leaves out what {@code runs} says.
   *
   * @param known topics of which readers have splits
   */
  public RestingEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context,
      SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> enumerator,
      RestingRuns runs,
      Set<String> known) {
    this.known = Set.copyOf(known);
    this.context = context;
    this.enumerator = enumerator;
    this.runs = runs;
  }

  @Override
  public void start() {
    // One thread does all that is asked for: topics are looked for after this.
    context.callAsync(() -> runs.begin(known), this::found);
    enumerator.start();
    long millis = LOOK.toMillis();
    context.callAsync(runs::look, this::moved, millis, millis);
    context.callAsync(runs::takeGone, this::gone, LETTING_GO.toMillis(), LETTING_GO.toMillis());
  }

  private void found(@Nullable List<RestingRun> found, @Nullable Throwable error) {
    if (found == null) {
      throw new IllegalStateException("cannot find out which runs rest", error);
    }
    resting = found;
    Set.copyOf(asking).forEach(this::tell);
  }

  private void moved(@Nullable Set<String> woken, @Nullable Throwable error) {
    if (woken == null) {
      LOG.warn("Cannot look whether anything has come of runs at rest, trying again", error);
    } else {
      wake(woken);
    }
  }

  private void gone(@Nullable Set<String> topics, @Nullable Throwable error) {
    if (topics == null) {
      throw new IllegalStateException("cannot take what is gone", error);
    }
    if (!topics.isEmpty()) {
      send(new RestNews.Gone(topics));
    }
  }

  /** To all readers that are told who rests: others look for their topics when they are. */
  private void send(RestNews news) {
    for (int reader : told) {
      if (context.registeredReaders().containsKey(reader)) {
        context.sendEventToSourceReader(reader, news);
      }
    }
  }

  private void wake(Set<String> woken) {
    if (woken.isEmpty()) {
      return;
    }
    if (resting != null) {
      resting = resting.stream().filter(run -> !woken.contains(run.runId())).toList();
    }
    send(new RestNews.Woken(woken));
  }

  private void tell(int reader) {
    List<RestingRun> all = resting;
    if (all == null || !context.registeredReaders().containsKey(reader)) {
      return;
    }
    asking.remove(reader);
    told.add(reader);
    int from = 0;
    do {
      int to = Math.min(all.size(), from + TOLD_AT_ONCE);
      boolean last = to == all.size();
      context.sendEventToSourceReader(reader, new RestNews.Told(all.subList(from, to), last));
      from = to;
    } while (from < all.size());
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    if (event instanceof RestNews.Asked) {
      asking.add(subtask);
      tell(subtask);
    } else if (event instanceof RestNews.Called called) {
      if (runs.wake(called.runId())) {
        wake(Set.of(called.runId()));
      }
    } else {
      enumerator.handleSourceEvent(subtask, event);
    }
  }

  @Override
  public void addReader(int subtask) {
    asking.remove(subtask);
    told.remove(subtask);
    enumerator.addReader(subtask);
  }

  @Override
  public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {
    enumerator.addSplitsBack(splits, subtask);
  }

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    enumerator.handleSplitRequest(subtask, host);
  }

  @Override
  public KafkaSourceEnumState snapshotState(long checkpointId) throws Exception {
    return enumerator.snapshotState(checkpointId);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    enumerator.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    enumerator.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void close() throws IOException {
    enumerator.close();
  }
}
