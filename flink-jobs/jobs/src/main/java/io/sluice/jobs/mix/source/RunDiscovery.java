package io.sluice.jobs.mix.source;

import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.SplitCursor;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.Snapshot;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunStarted;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for runs that the control log starts. Used by one thread at a time. */
final class RunDiscovery implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunDiscovery.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration ASK = Duration.ofSeconds(10);

  private final Supplier<Consumer<byte[], byte[]>> opening;
  private final String topic;
  private final Map<Integer, Long> offsets;
  private @Nullable Consumer<byte[], byte[]> consumer;
  private Map<TopicPartition, Long> ends = Map.of();
  private boolean closed;

  /**
   * Runs that were found, in log order, and where to look from next.
   *
   * @param all whether every run was found that the log held when it was first looked at
   */
  record Found(List<MixSplit> splits, Map<Integer, Long> offsets, boolean all) {
    Found {
      splits = List.copyOf(splits);
      offsets = Map.copyOf(offsets);
    }
  }

  /**
   * @param offsets per partition, where to begin; a partition without one is read from its start
   */
  RunDiscovery(
      Supplier<Consumer<byte[], byte[]>> opening, String topic, Map<Integer, Long> offsets) {
    this.opening = opening;
    this.topic = topic;
    this.offsets = new HashMap<>(offsets);
  }

  /** What the log starts after the call before. */
  synchronized Found next() {
    if (closed) {
      return new Found(List.of(), offsets, false);
    }
    Consumer<byte[], byte[]> from = consumer;
    if (from == null) {
      from = opening.get();
      consumer = from;
    }
    if (from.assignment().isEmpty() && !assign(from)) {
      return new Found(List.of(), offsets, false);
    }
    List<MixSplit> found = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : from.poll(POLL)) {
      offsets.put(record.partition(), record.offset() + 1);
      found.addAll(splits(record));
    }
    return new Found(found, offsets, hasReachedEnds(from));
  }

  private boolean hasReachedEnds(Consumer<byte[], byte[]> from) {
    return ends.entrySet().stream().allMatch(end -> from.position(end.getKey()) >= end.getValue());
  }

  private boolean assign(Consumer<byte[], byte[]> from) {
    List<PartitionInfo> partitions = from.partitionsFor(topic, ASK);
    if (partitions == null || partitions.isEmpty()) {
      LOG.debug("Control topic {} does not exist yet", topic);
      return false;
    }
    List<TopicPartition> all =
        partitions.stream().map(p -> new TopicPartition(topic, p.partition())).toList();
    ends = from.endOffsets(all, ASK);
    from.assign(all);
    for (TopicPartition partition : all) {
      Long offset = offsets.get(partition.partition());
      if (offset == null) {
        from.seekToBeginning(List.of(partition));
      } else {
        from.seek(partition, offset);
      }
    }
    return true;
  }

  private static List<MixSplit> splits(ConsumerRecord<byte[], byte[]> record) {
    try {
      ControlRecord control = WireCodec.decode(ControlRecord.class, record.value());
      if (!(control.getBody() instanceof RunStarted started)) {
        return List.of();
      }
      ControlEntry entry = ControlWire.read(control);
      LogPosition start = LogPosition.start(entry.runId());
      if (!start.accepts(entry)) {
        return List.of();
      }
      if (started.getStartOrdinals().stream().anyMatch(ordinal -> ordinal != 0)) {
        throw new IllegalArgumentException(
            "start ordinals must be 0: " + started.getStartOrdinals());
      }
      RunLayout layout = RunLayout.of(started.getSpec(), started.getStreamTopicId());
      LogPosition position = start.after(entry, record.offset());
      Snapshot from = ((ControlEntry.Started) entry.body()).snapshot();
      List<MixSplit> splits = new ArrayList<>();
      for (int lane = 0; lane < layout.lanes(); lane++) {
        SplitCursor cursor = SplitCursor.start(position, layout, from, lane);
        splits.add(new MixSplit(entry.runId(), lane, record.partition(), layout, cursor));
      }
      return splits;
    } catch (RuntimeException e) {
      LOG.warn(
          "Control log, partition {}, offset {}: no run is started: {}",
          record.partition(),
          record.offset(),
          e.getMessage());
      return List.of();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (consumer != null) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }
}
