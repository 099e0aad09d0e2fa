package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.split.EnumeratorState;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.RunFailures;
import io.sluice.jobs.mix.tail.RunStarts;
import io.sluice.jobs.mix.tail.SettledRuns;
import io.sluice.jobs.mix.tail.StreamTails;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for runs that control logs start: in the shared log, and in each run's own until its start
 * is read. The topics say which logs there are; listing all of them costs, so between two looks a
 * run is noticed by its status. Used by one thread at a time.
 */
final class RunDiscovery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunDiscovery.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration ASK = Duration.ofSeconds(10);

  /** What reading the starts of many runs may take at a time. */
  private static final Duration STEP = Duration.ofSeconds(2);

  /** A run whose status was lost is found within this time. */
  private static final Duration LIST = Duration.ofSeconds(10);

  /** What can be part of a topic's name. */
  private static final Pattern RUN_ID = Pattern.compile("[A-Za-z0-9._-]{1,150}");

  private final Supplier<Consumer<byte[], byte[]>> opening;
  private final Topics topics;
  private final RunStarts starts;
  private final Map<Integer, Long> offsets;
  private final Set<String> known;
  private final Set<String> absent = new HashSet<>();
  private final LongSupplier nanos;
  private final StreamTails tails;
  private final RunFailures failures;
  private final Deque<SettledRuns.Failed> failed = new ArrayDeque<>();
  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private @Nullable Consumer<byte[], byte[]> consumer;
  private Map<Integer, Long> settledOffsets;
  private long listedNanos;
  private boolean listed;
  private final OwnLogs logs;
  private final Set<String> whole = new HashSet<>();
  private final Queue<Map<String, Integer>> delivered = new ConcurrentLinkedQueue<>();
  private boolean closed;

  /**
   * Runs that were found, and where to look in the shared log from next.
   *
   * @param splits of runs that go on, from where their streams end
   * @param ended ids of the splits of runs that have nothing to emit
   * @param all whether every run was found that the logs held when they were first looked at
   */
  record Found(List<MixSplit> splits, Set<String> ended, Map<Integer, Long> offsets, boolean all) {
    Found {
      splits = List.copyOf(splits);
      ended = Set.copyOf(ended);
      offsets = Map.copyOf(offsets);
    }
  }

  /**
   * @param state where to begin in the shared log, a partition without an offset being read from
   *     its start, and the runs that need not be looked for
   * @param tails finds where a run goes on that is not known
   * @param failures is told of runs that cannot
   */
  RunDiscovery(
      Supplier<Consumer<byte[], byte[]>> opening,
      Topics topics,
      EnumeratorState state,
      StreamTails tails,
      RunFailures failures,
      LongSupplier nanos) {
    this.opening = opening;
    this.topics = topics;
    this.tails = tails;
    this.failures = failures;
    this.starts = new RunStarts(topics);
    this.offsets = new HashMap<>(state.controlOffsets());
    this.settledOffsets = state.controlOffsets();
    this.known = state.runIds();
    this.nanos = nanos;
    this.logs = new OwnLogs(topics, tails, state.endedRunIds(), nanos);
  }

  /** What the logs start after the call before. */
  synchronized Found next() {
    if (closed) {
      return new Found(List.of(), Set.of(), settledOffsets, false);
    }
    Consumer<byte[], byte[]> from = consumer;
    if (from == null) {
      from = opening.get();
      consumer = from;
    }
    if (from.assignment().isEmpty() && !begin(from)) {
      return new Found(List.of(), Set.of(), settledOffsets, false);
    }
    for (Map<String, Integer> runs = delivered.poll(); runs != null; runs = delivered.poll()) {
      tails.delivered(runs);
    }
    if (!listed || nanos.getAsLong() - listedNanos >= LIST.toNanos()) {
      list(from);
    }
    long began = nanos.getAsLong();
    do {
      read(from);
    } while (isReadingStarts(from) && nanos.getAsLong() - began < STEP.toNanos());
    boolean readable = logs.areAllReadable();
    return settled(readable && !from.assignment().isEmpty() && hasReachedEnds(from));
  }

  /** Takes in what came. */
  private void read(Consumer<byte[], byte[]> from) {
    Set<TopicPartition> done = new HashSet<>();
    Set<String> seen = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : poll(from)) {
      TopicPartition log = new TopicPartition(record.topic(), record.partition());
      if (record.topic().equals(topics.status())) {
        runIdOf(record).filter(this::isNew).ifPresent(seen::add);
      } else if (record.topic().equals(topics.control())) {
        offsets.put(record.partition(), record.offset() + 1);
        starts
            .splits(record)
            .filter(splits -> !splits.isEmpty() && known.add(splits.get(0).runId()))
            .ifPresent(tails::add);
      } else if (!done.contains(log)) {
        Optional<List<MixSplit>> splits = starts.splits(record);
        splits.filter(some -> !some.isEmpty()).ifPresent(tails::add);
        splits.ifPresent(read -> done.add(log));
      }
    }
    if (!from.assignment().isEmpty()) {
      leave(from, done);
      notice(from, seen);
    }
  }

  /** Whether own logs have more, in which a start may be. */
  private boolean isReadingStarts(Consumer<byte[], byte[]> from) {
    return ends.entrySet().stream()
        .anyMatch(
            end ->
                !end.getKey().topic().equals(topics.control())
                    && from.position(end.getKey()) < end.getValue());
  }

  /**
   * Runs have ended, and all that they were granted is written; from any thread.
   *
   * @param runs how many lanes each has
   */
  void delivered(Map<String, Integer> runs) {
    delivered.add(runs);
  }

  /** What can be said of the runs that were found; a checkpoint looks again for the others. */
  private Found settled(boolean all) {
    SettledRuns settled = tails.settle();
    failed.addAll(settled.failed());
    Set<String> over = new HashSet<>(settled.ended());
    over.addAll(whole);
    whole.clear();
    try {
      for (SettledRuns.Failed next = failed.peek(); next != null; next = failed.peek()) {
        failures.report(next.target(), next.reason());
        over.addAll(next.splits());
        failed.remove();
      }
    } catch (KafkaException e) {
      LOG.warn("Cannot say that {} runs have failed, trying again", failed.size(), e);
    }
    boolean none = tails.waiting() == 0 && failed.isEmpty();
    tails.rest();
    settledOffsets = none ? Map.copyOf(offsets) : settledOffsets;
    return new Found(settled.splits(), over, settledOffsets, all && none);
  }

  /** What came; a place that is lost with the end of a log makes the next look begin anew. */
  private ConsumerRecords<byte[], byte[]> poll(Consumer<byte[], byte[]> from) {
    try {
      return from.poll(POLL);
    } catch (InvalidOffsetException e) {
      LOG.warn("Records of {} are gone; looking for runs anew", e.partitions());
      String own = topics.control("");
      for (TopicPartition partition : from.assignment()) {
        if (partition.topic().startsWith(own)) {
          known.remove(partition.topic().substring(own.length()));
        }
      }
      from.endOffsets(e.partitions(), ASK)
          .forEach(
              (partition, end) -> {
                if (partition.topic().equals(topics.control())) {
                  offsets.put(partition.partition(), end);
                }
              });
      ends.clear();
      from.unsubscribe();
      return ConsumerRecords.empty();
    }
  }

  private boolean isNew(String runId) {
    return RUN_ID.matcher(runId).matches() && !known.contains(runId) && !absent.contains(runId);
  }

  /**
   * Reads the logs of runs that a status was seen of; where there is none, the shared one tells.
   */
  private void notice(Consumer<byte[], byte[]> from, Set<String> runIds) {
    Set<String> there = new HashSet<>(runIds);
    there.removeIf(runId -> !logs.isReadable(runId, described(from, topics.control(runId))));
    read(from, there);
    absent.addAll(runIds);
  }

  private boolean hasReachedEnds(Consumer<byte[], byte[]> from) {
    return ends.entrySet().stream().allMatch(end -> from.position(end.getKey()) >= end.getValue());
  }

  /** Begins to read what all runs share. */
  private boolean begin(Consumer<byte[], byte[]> from) {
    List<TopicPartition> shared = partitions(from, topics.control());
    if (shared.isEmpty()) {
      LOG.debug("Control topic {} does not exist yet", topics.control());
      return false;
    }
    List<TopicPartition> statuses = partitions(from, topics.status());
    List<TopicPartition> all = new ArrayList<>(shared);
    all.addAll(statuses);
    ends.putAll(from.endOffsets(shared, ASK));
    from.assign(all);
    from.seekToEnd(statuses);
    for (TopicPartition partition : shared) {
      Long offset = offsets.get(partition.partition());
      if (offset == null) {
        from.seekToBeginning(List.of(partition));
      } else {
        from.seek(partition, offset);
      }
    }
    // What is written from here on is not missed while the topics are listed.
    statuses.forEach(partition -> from.position(partition, ASK));
    list(from);
    return true;
  }

  /** Looks which runs have a log of their own. */
  private void list(Consumer<byte[], byte[]> from) {
    String own = topics.control("");
    Map<String, List<PartitionInfo>> names = from.listTopics(ASK);
    Set<String> runIds = new HashSet<>();
    names.keySet().stream()
        .filter(name -> name.startsWith(own))
        .forEach(name -> runIds.add(name.substring(own.length())));
    whole.addAll(logs.whole(runIds));
    whole.removeIf(splitId -> known.contains(MixSplit.runIdOf(splitId)));
    whole.forEach(splitId -> known.add(MixSplit.runIdOf(splitId)));
    absent.clear();
    leave(
        from,
        from.assignment().stream()
            .filter(log -> log.topic().startsWith(own) && !names.containsKey(log.topic()))
            .toList());
    read(
        from,
        runIds.stream()
            .filter(runId -> !known.contains(runId))
            .filter(runId -> logs.isReadable(runId, names.getOrDefault(own + runId, List.of())))
            .toList());
    // Not before all could be read: else it would pass for read until the next listing.
    listed = true;
    listedNanos = nanos.getAsLong();
  }

  /** Reads the own logs of runs from their beginnings. */
  private void read(Consumer<byte[], byte[]> from, Collection<String> runIds) {
    if (runIds.isEmpty()) {
      return;
    }
    Map<TopicPartition, Span> parts = logs.parts(from, runIds, ASK);
    Set<TopicPartition> all = new HashSet<>(from.assignment());
    all.addAll(parts.keySet());
    from.assign(all);
    parts.forEach(
        (log, part) -> {
          ends.put(log, part.to());
          from.seek(log, part.from());
          known.add(topics.runIdOf(log.topic()));
        });
  }

  private void leave(Consumer<byte[], byte[]> from, Collection<TopicPartition> logs) {
    if (logs.isEmpty()) {
      return;
    }
    Set<TopicPartition> left = new HashSet<>(from.assignment());
    left.removeAll(logs);
    ends.keySet().removeAll(logs);
    from.assign(left);
  }

  private static List<TopicPartition> partitions(Consumer<byte[], byte[]> from, String topic) {
    return described(from, topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  private static List<PartitionInfo> described(Consumer<byte[], byte[]> from, String topic) {
    List<PartitionInfo> found = from.partitionsFor(topic, ASK);
    return found == null ? List.of() : found;
  }

  /** The run that a status is of; empty if it is none. */
  private static Optional<String> runIdOf(ConsumerRecord<byte[], byte[]> record) {
    try {
      return record.value() == null
          ? Optional.empty()
          : Optional.of(WireCodec.decode(RunStatus.class, record.value()).getRunId());
    } catch (WireFormatException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    tails.stop();
    synchronized (this) {
      closed = true;
      if (consumer != null) {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
      }
      tails.close();
    }
  }
}
