package io.sluice.jobs.mix.fetch;

import io.sluice.jobs.mix.split.BrokenRunException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A split's lane of the block topics, or of some of them. Partitions are assigned when first
 * needed, and read, one fetch at a time, while their domain lacks a block.
 */
public final class BlockPartitions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockPartitions.class);

  private static final Duration POLL = Duration.ofMillis(20);

  private static final Duration ASK = Duration.ofSeconds(10);
  private static final long STALL_NANOS = Duration.ofSeconds(10).toNanos();

  private static final int ASKED_AT_ONCE = 16;

  /** Fewer missing blocks are read and dropped, which is faster than another fetch. */
  private static final long LEAST_JUMP = 64;

  private final Consumer<byte[], ByteBuffer> consumer;
  private final List<TopicPartition> partitions;
  private final Map<TopicPartition, Integer> domains = new HashMap<>();
  private final LongSupplier nanos;

  private final BitSet own = new BitSet();
  private final BitSet assigned = new BitSet();
  private final BitSet reading = new BitSet();
  private BitSet wanted = new BitSet();
  private final Map<Integer, BlockOffsets> offsets;
  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private long progressAt;

  /**
   * @param consumer one that pauses a partition when it hands over records of it
   * @param partitions the lane's partition of each domain
   * @param from the first domain that is read here
   * @param to the first after them that is not
   * @param offsets where blocks of these domains were found, for those who read them later, too
   * @param nanos a clock that only goes forward
   */
  BlockPartitions(
      Consumer<byte[], ByteBuffer> consumer,
      List<TopicPartition> partitions,
      int from,
      int to,
      Map<Integer, BlockOffsets> offsets,
      LongSupplier nanos) {
    this.consumer = consumer;
    this.partitions = List.copyOf(partitions);
    this.offsets = offsets;
    this.nanos = nanos;
    own.set(from, to);
    for (int domain = from; domain < to; domain++) {
      domains.put(partitions.get(domain), domain);
    }
    progressAt = nanos.getAsLong();
  }

  /** The domains that are read here. */
  BitSet own() {
    return own;
  }

  /**
   * Goes where the plan wants to read, and reads what has come.
   *
   * @return whether anything has
   */
  boolean read(FetchMonitor.Demand demand, FetchMonitor plan) {
    wanted = demand.domains();
    assign();
    seek(demand.seeks());
    plan.readingFrom(demand.seeks());
    resume();
    return poll(plan);
  }

  private void seek(Map<Integer, Long> blocks) {
    List<TopicPartition> fromStart = new ArrayList<>();
    blocks.forEach(
        (domain, block) -> {
          long offset = offsetsOf(domain).atOrBefore(block);
          if (offset == BlockOffsets.UNKNOWN) {
            fromStart.add(partitions.get(domain));
          } else {
            consumer.seek(partitions.get(domain), offset);
          }
        });
    if (!fromStart.isEmpty()) {
      // Without partitions, Kafka would take all of them.
      consumer.seekToBeginning(fromStart);
    }
  }

  private BlockOffsets offsetsOf(int domain) {
    return offsets.computeIfAbsent(domain, d -> new BlockOffsets());
  }

  private int domainOf(TopicPartition partition) {
    return domains.getOrDefault(partition, -1);
  }

  private void assign() {
    BitSet added = (BitSet) wanted.clone();
    added.andNot(assigned);
    if (!added.isEmpty()) {
      assigned.or(added);
      consumer.assign(assigned.stream().mapToObj(partitions::get).toList());
      // A newly assigned partition is not paused.
      reading.or(added);
    }
  }

  /** What has been handed over is paused; what was asked for and has not come is still read. */
  private void resume() {
    BitSet due = (BitSet) wanted.clone();
    due.andNot(reading);
    if (!due.isEmpty()) {
      consumer.resume(due.stream().mapToObj(partitions::get).toList());
      reading.or(due);
    }
  }

  private boolean poll(FetchMonitor plan) {
    ConsumerRecords<byte[], ByteBuffer> records = consumer.poll(POLL);
    if (records.isEmpty()) {
      checkStall();
      return false;
    }
    progressAt = nanos.getAsLong();
    for (TopicPartition partition : records.partitions()) {
      int domain = domainOf(partition);
      reading.clear(domain);
      List<ConsumerRecord<byte[], ByteBuffer>> blocks = records.records(partition);
      BlockOffsets seen = offsetsOf(domain);
      blocks.forEach(block -> seen.note(block.timestamp(), block.offset()));
      long missing = plan.offer(domain, blocks);
      if (missing >= LEAST_JUMP) {
        jump(partition, blocks.get(blocks.size() - 1).offset() + 1, missing);
      }
    }
    return true;
  }

  /**
   * Goes forward past missing blocks. When there are not as many, which only a marker before the
   * partition's end can tell, it halves the way there.
   */
  private void jump(TopicPartition partition, long from, long missing) {
    long to = from + missing;
    Long end = ends.get(partition);
    if (end == null || to >= end) {
      ends.putAll(consumer.endOffsets(wanted.stream().mapToObj(partitions::get).toList(), ASK));
      end = ends.getOrDefault(partition, from);
    }
    long halfway = from + (end - from) / 2;
    if (to < end || halfway - from >= LEAST_JUMP) {
      long there = to < end ? to : halfway;
      // A seek that is asked for meanwhile goes on from here.
      offsetsOf(domainOf(partition)).reach(there);
      consumer.seek(partition, there);
    }
  }

  /** A consumer never says that a topic is gone; so ask when nothing has come for long. */
  private void checkStall() {
    long now = nanos.getAsLong();
    if (now - progressAt < STALL_NANOS) {
      return;
    }
    progressAt = now;
    wanted.stream().limit(ASKED_AT_ONCE).forEach(domain -> requireExists(partitions.get(domain)));
  }

  private void requireExists(TopicPartition partition) {
    List<PartitionInfo> found;
    try {
      found = consumer.partitionsFor(partition.topic(), ASK);
    } catch (TimeoutException e) {
      LOG.warn("Cannot ask for topic {}: {}", partition.topic(), e.getMessage());
      return;
    }
    if (found == null || found.isEmpty()) {
      throw new BrokenRunException("topic " + partition.topic() + " does not exist");
    }
    if (found.size() <= partition.partition()) {
      throw new BrokenRunException(
          "topic "
              + partition.topic()
              + " has "
              + found.size()
              + " partitions: no lane "
              + partition.partition());
    }
  }

  /** Ends a call that waits; from any thread. */
  void wakeup() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(Duration.ZERO));
  }
}
