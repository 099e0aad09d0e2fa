package io.sluice.service.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.control.error.UnreachableException;
import io.sluice.control.purge.Purges;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.service.seal.SealThread;
import io.sluice.service.supervise.Threads;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the topics of datasets, refineries and purges on a thread of its own and hands what they
 * say to the jobs, and to what seals their blocks: purges first, so that no job starts that one
 * waits for.
 */
public final class DatasetWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatasetWatch.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration CLOSE = Duration.ofSeconds(10);

  private final KafkaAccess access;
  private final DatasetJobs jobs;
  private final RefineJobs refining;
  private final SealThread sealing;
  private final Consumer<byte[], byte[]> consumer;
  private final TopicPartition purges;

  private final TopicPartition datasets;
  private final TopicPartition refineries;

  /** By their keys, the last records of tables that were not read to their end yet. */
  private final Map<TopicPartition, Map<String, ConsumerRecord<byte[], byte[]>>> unread =
      new HashMap<>();

  /** Whether nothing works on what was deleted any more, of what nobody has said so. */
  private final Map<String, BooleanSupplier> deleted = new LinkedHashMap<>();

  private final Thread thread = new Thread(this::follow, "sluice-datasets");

  private DatasetWatch(
      KafkaAccess access, DatasetJobs jobs, RefineJobs refining, SealThread sealing) {
    this.access = access;
    this.jobs = jobs;
    this.refining = refining;
    this.sealing = sealing;
    this.purges = new TopicPartition(access.topics().purges(), 0);
    this.consumer =
        TopicReader.consumer(
            access, Map.of("auto.offset.reset", "latest", "fetch.max.wait.ms", 50));
    this.datasets = new TopicPartition(access.topics().datasets(), 0);
    this.refineries = new TopicPartition(access.topics().refineries(), 0);
    consumer.assign(List.of(datasets, refineries, purges));
    consumer.seekToBeginning(List.of(datasets, refineries));
    thread.setDaemon(true);
  }

  /**
   * Starts to follow, unless the datasets are those of another prefix, whose service makes them.
   *
   * @param events told so
   */
  public static AutoCloseable start(
      KafkaAccess access,
      DatasetJobs jobs,
      RefineJobs refining,
      SealThread sealing,
      java.util.function.Consumer<String> events) {
    if (!access.topics().ownsDatasets()) {
      events.accept("datasets are those of prefix " + access.topics().datasetsPrefix());
      return () -> {};
    }
    DatasetWatch watch = new DatasetWatch(access, jobs, refining, sealing);
    watch.thread.start();
    return watch;
  }

  @Override
  public void close() {
    consumer.wakeup();
    Threads.end(thread, CLOSE);
  }

  private void follow() {
    try (consumer) {
      while (!Thread.currentThread().isInterrupted() && !hasPurges()) {
        LOG.warn("the purges cannot be read; trying again");
      }
      while (!Thread.currentThread().isInterrupted()) {
        poll();
      }
    } catch (WakeupException | InterruptException closed) {
      LOG.debug("the datasets are no longer followed");
    }
  }

  /** Takes the purge that is under way, and follows the table; false if no broker answers. */
  private boolean hasPurges() {
    try {
      consumer.seekToEnd(List.of(purges));
      consumer.position(purges);
      jobs.purging(new Purges(access).open());
      return true;
    } catch (KafkaUnreachableException | TimeoutException e) {
      LOG.debug("no answer", e);
      return false;
    }
  }

  private void poll() {
    try {
      ConsumerRecords<byte[], byte[]> messages = consumer.poll(POLL);
      if (!messages.records(purges).isEmpty()) {
        jobs.purging(new Purges(access).open());
      }
      readTable(datasets, messages, this::read);
      readTable(refineries, messages, this::readRefinery);
      jobs.look();
      refining.look();
      sayLeft();
    } catch (WakeupException | InterruptException closed) {
      throw closed;
    } catch (KafkaException | UnreachableException e) {
      if (!Thread.currentThread().isInterrupted()) {
        LOG.warn("the datasets cannot be followed; trying again", e);
      }
    }
  }

  private void sayLeft() {
    for (String key : List.copyOf(deleted.keySet())) {
      if (Objects.requireNonNull(deleted.get(key)).getAsBoolean()) {
        new Purges(access).sayLeft(key);
        deleted.remove(key);
      }
    }
  }

  /** Hands on what a table says at its end: nothing is begun that was deleted since. */
  private void readTable(
      TopicPartition table,
      ConsumerRecords<byte[], byte[]> messages,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    Map<String, ConsumerRecord<byte[], byte[]>> last =
        unread.computeIfAbsent(table, each -> new LinkedHashMap<>());
    for (ConsumerRecord<byte[], byte[]> message : messages.records(table)) {
      if (message.key() != null) {
        last.put(new String(message.key(), UTF_8), message);
      }
    }
    if (consumer.currentLag(table).orElse(1) == 0) {
      last.values().forEach(reader);
      last.clear();
    }
  }

  private void read(ConsumerRecord<byte[], byte[]> message) {
    if (message.value() == null) {
      String name = new String(message.key(), UTF_8);
      jobs.delete(name);
      sealing.delete(name);
      deleted.put(name, () -> jobs.hasLeft(name) && sealing.hasLeft(name));
      return;
    }
    try {
      DatasetSpec spec = WireCodec.decode(DatasetSpec.class, message.value());
      jobs.apply(spec);
      sealing.apply(spec);
    } catch (WireFormatException e) {
      LOG.warn("offset {} of the datasets is no dataset: {}", message.offset(), e.getMessage());
    }
  }

  private void readRefinery(ConsumerRecord<byte[], byte[]> message) {
    if (message.value() == null) {
      String name = new String(message.key(), UTF_8);
      refining.delete(name);
      deleted.put(Purges.ofRefinery(name), () -> refining.hasLeft(name));
      return;
    }
    try {
      refining.apply(WireCodec.decode(RefineSpec.class, message.value()));
    } catch (WireFormatException e) {
      LOG.warn("offset {} of the refineries is none: {}", message.offset(), e.getMessage());
    }
  }
}
