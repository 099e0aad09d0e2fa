package io.sluice.jobs.mix.rest;

import io.sluice.control.history.TopicScan;
import io.sluice.jobs.mix.fetch.KafkaConsumers;
import io.sluice.jobs.mix.mark.KafkaWrittenStreams;
import io.sluice.jobs.mix.tail.PartitionReading;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.LogBeginnings;
import io.sluice.schema.RunCommand;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Asks Kafka. */
final class KafkaRestBrokers implements RestBrokers {
  private static final String CLIENT = "sluice-mix-rest";
  private static final int WAIT_MILLIS = 10_000;

  private final KafkaAccess access;
  private final String group;
  private final KafkaWrittenStreams written;
  private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;

  /**
   * Connects when it is first asked.
   *
   * @param group with which the job keeps what it has read
   */
  KafkaRestBrokers(KafkaAccess access, String group) {
    this.access = access;
    this.group = group;
    KafkaConsumers consumers = new KafkaConsumers(access);
    this.written = new KafkaWrittenStreams(access, CLIENT, () -> consumers.control(CLIENT));
    this.consumer = consumers.parts(CLIENT);
  }

  /** A client asks for a partition without a leader again and again, until its time is over. */
  @Override
  public Set<String> topics() {
    Set<String> led = new HashSet<>();
    consumer
        .listTopics(Duration.ofMillis(WAIT_MILLIS))
        .forEach(
            (topic, partitions) -> {
              if (partitions.stream().allMatch(each -> isThere(each.leader()))) {
                led.add(topic);
              }
            });
    return led;
  }

  private static boolean isThere(@Nullable Node leader) {
    return leader != null && !leader.isEmpty();
  }

  @Override
  public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> ends = new HashMap<>();
    written.latest(partitions).forEach((partition, latest) -> ends.put(partition, latest.end()));
    return ends;
  }

  @Override
  public Map<TopicPartition, Long> kept(Collection<TopicPartition> partitions) {
    var asked =
        Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.copyOf(partitions)));
    Map<TopicPartition, Long> kept = new HashMap<>();
    ask(admin -> admin.listConsumerGroupOffsets(asked).partitionsToOffsetAndMetadata(group))
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                kept.put(partition, offset.offset());
              }
            });
    return kept;
  }

  @Override
  public void keep(Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, OffsetAndMetadata> kept = new HashMap<>();
    offsets.forEach((partition, offset) -> kept.put(partition, new OffsetAndMetadata(offset)));
    ask(admin -> admin.alterConsumerGroupOffsets(group, kept).all());
  }

  private <T> T ask(Function<Admin, KafkaFuture<T>> question) {
    Map<String, Object> settings =
        Map.of(
            "client.id",
            CLIENT,
            "request.timeout.ms",
            WAIT_MILLIS,
            "default.api.timeout.ms",
            WAIT_MILLIS);
    try (Admin admin = Admin.create(access.with(settings))) {
      return question.apply(admin).get();
    } catch (ExecutionException e) {
      throw new KafkaException(String.valueOf(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptException(e);
    }
  }

  @Override
  public void commands(ObjLongConsumer<RunCommand> reader) {
    TopicScan scan = new TopicScan(access);
    scan.read(
        List.of(access.topics().runs()),
        message ->
            TopicScan.read(RunCommand.class, message)
                .ifPresent(command -> reader.accept(command, message.offset())));
  }

  @Override
  public void read(
      Map<TopicPartition, Span> parts, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    new PartitionReading(consumer)
        .read(
            parts,
            message -> {
              TopicPartition partition = new TopicPartition(message.topic(), message.partition());
              Span part = Objects.requireNonNull(parts.get(partition));
              reader.accept(message);
              return message.offset() + 1 >= part.to();
            });
  }

  @Override
  public Map<String, LogBeginning> newest(Collection<String> runIds) {
    return new LogBeginnings(access, consumer).newest(runIds, Duration.ofMillis(WAIT_MILLIS));
  }

  @Override
  public void close() {
    written.close();
    consumer.close(CloseOptions.timeout(Duration.ZERO));
  }
}
