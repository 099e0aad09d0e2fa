package io.sluice.jobs.mix.rest;

import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.RunCommand;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
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

  /** Keeps up to where a job has read partitions anew: brokers forget it after some days. */
  void keep(Map<TopicPartition, Long> offsets);

  /** Hands on all commands that were ever asked, as far as they can be read, with their offsets. */
  void commands(ObjLongConsumer<RunCommand> reader);

  /** Hands on the records of parts of partitions, those of each in order. */
  void read(Map<TopicPartition, Span> parts, Consumer<ConsumerRecord<byte[], byte[]>> reader);

  /** Where the logs of runs begin for who wants what they have come to; none of one gone. */
  Map<String, LogBeginning> newest(Collection<String> runIds);

  @Override
  void close();
}
