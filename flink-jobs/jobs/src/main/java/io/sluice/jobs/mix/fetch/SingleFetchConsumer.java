package io.sluice.jobs.mix.fetch;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that fetches from a partition once for each time that it is resumed, and pauses it
 * when it hands over what came. A plain one asks for more of a partition before it hands over the
 * first part, and what then comes for a partition that is paused meanwhile stays in it, whole
 * responses at a time, which of thousands of partitions is more than the blocks themselves.
 *
 * <p>Values are parts of their fetch, where byte arrays would be copies.
 */
final class SingleFetchConsumer extends KafkaConsumer<byte[], ByteBuffer> {
  private final PausingDeserializer values;

  /**
   * @param partition of all topics that are assigned to it
   */
  SingleFetchConsumer(Properties settings, int partition) {
    this(settings, new PausingDeserializer(partition));
  }

  private SingleFetchConsumer(Properties settings, PausingDeserializer values) {
    super(settings, new ByteArrayDeserializer(), values);
    this.values = values;
    values.pauses = this;
  }

  /** What its values go through, a record at a time. */
  Deserializer<ByteBuffer> values() {
    return values;
  }

  @Override
  public ConsumerRecords<byte[], ByteBuffer> poll(Duration timeout) {
    values.paused = "";
    return super.poll(timeout);
  }

  /** Called for each record, before the consumer looks whose fetch is due. */
  private static final class PausingDeserializer extends ByteBufferDeserializer {
    private final int partition;
    private @Nullable Consumer<?, ?> pauses;
    private String paused = "";

    PausingDeserializer(int partition) {
      this.partition = partition;
    }

    @Override
    public ByteBuffer deserialize(String topic, Headers headers, ByteBuffer data) {
      Consumer<?, ?> consumer = pauses;
      if (consumer != null && !topic.equals(paused)) {
        paused = topic;
        consumer.pause(List.of(new TopicPartition(topic, partition)));
      }
      return super.deserialize(topic, headers, data);
    }
  }
}
