package io.sluice.control.history;

import io.sluice.control.error.MissingTopicException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the committed records of whole topics, from the oldest to where they end at the time of the
 * call. Every method throws {@link KafkaUnreachableException} when no broker answers.
 */
public record TopicScan(KafkaAccess access) {
  private static final Logger LOG = LoggerFactory.getLogger(TopicScan.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * Hands every record of the topics to the reader, in order within each partition.
   *
   * @return records read
   * @throws MissingTopicException if a topic does not exist
   */
  public long read(List<String> topics, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    return read(ends(topics), reader);
  }

  /**
   * Hands on a topic's records of one type; what is none is the jobs' to refuse, not a reader's.
   */
  public <T extends SpecificRecordBase> void read(Class<T> type, String topic, Consumer<T> reader) {
    read(List.of(topic), message -> read(type, message).ifPresent(reader));
  }

  /** What a record of a topic is; empty if it is not of this type. */
  public static <T extends SpecificRecordBase> Optional<T> read(
      Class<T> type, ConsumerRecord<byte[], byte[]> message) {
    try {
      return Optional.of(WireCodec.decode(type, message.value()));
    } catch (WireFormatException e) {
      LOG.debug(
          "offset {} of {} is passed over: {}", message.offset(), message.topic(), e.getMessage());
      return Optional.empty();
    }
  }

  /** The same up to the given ends, whatever has been added since they were taken. */
  public long read(
      Map<TopicPartition, Long> ends, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    AtomicLong records = new AtomicLong();
    try (TopicReader topics = TopicReader.committed(access)) {
      topics.readTo(
          ends,
          PATIENCE,
          message -> {
            TopicPartition of = new TopicPartition(message.topic(), message.partition());
            if (message.offset() < Objects.requireNonNull(ends.get(of))) {
              reader.accept(message);
              records.incrementAndGet();
            }
          });
    }
    return records.get();
  }

  /**
   * Where each partition of the topics ends now.
   *
   * @throws MissingTopicException if a topic does not exist
   */
  public Map<TopicPartition, Long> ends(List<String> topics) {
    List<TopicPartition> partitions = new ArrayList<>();
    try (TopicReader reader = TopicReader.committed(access)) {
      for (String topic : topics) {
        List<TopicPartition> found = reader.partitions(topic, PATIENCE);
        if (found.isEmpty()) {
          throw new MissingTopicException(topic);
        }
        partitions.addAll(found);
      }
      return reader.ends(partitions, PATIENCE);
    }
  }

  /** The newest status of each run, by run id, in the order in which runs first appeared. */
  public Map<String, RunStatus> statuses() {
    return RunStatuses.read(access).runs();
  }
}
