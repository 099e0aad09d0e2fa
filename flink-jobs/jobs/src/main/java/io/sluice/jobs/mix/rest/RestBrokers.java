package io.sluice.jobs.mix.rest;

import io.sluice.schema.RunCommand;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** What brokers say of logs and feedback. Every method may throw a KafkaException. */
interface RestBrokers extends AutoCloseable {
  /** The names of all topics whose partitions have leaders. */
  Set<String> topics();

  /** Where partitions end, negative of those that are gone; without those that do not answer. */
  Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions);

  /** Up to where a job has read partitions and kept that in a checkpoint, as far as is known. */
  Map<TopicPartition, Long> kept(Collection<TopicPartition> partitions);

  /** Hands on all commands that were ever asked, as far as they can be read. */
  void commands(Consumer<RunCommand> reader);

  /** Hands on the record at an offset of each partition, where there is one. */
  void read(Map<TopicPartition, Long> offsets, Consumer<ConsumerRecord<byte[], byte[]>> reader);

  @Override
  void close();
}
