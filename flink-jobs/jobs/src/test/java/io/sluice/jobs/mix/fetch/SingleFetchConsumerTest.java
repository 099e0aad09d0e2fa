package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Test;

final class SingleFetchConsumerTest {
  private static final int LANE = 3;
  private static final TopicPartition FIRST = new TopicPartition("b0", LANE);
  private static final TopicPartition SECOND = new TopicPartition("b1", LANE);

  private static SingleFetchConsumer consumer() {
    Properties settings = new Properties();
    // Nobody listens there, and nobody is asked.
    settings.setProperty(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    settings.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    return new SingleFetchConsumer(settings, LANE);
  }

  private static ByteBuffer hand(SingleFetchConsumer consumer, String topic, ByteBuffer value) {
    Deserializer<ByteBuffer> values = consumer.values();
    return values.deserialize(topic, new RecordHeaders(), value);
  }

  @Test
  void aPartitionIsPausedByTheFirstOfItsRecords() {
    try (SingleFetchConsumer consumer = consumer()) {
      consumer.assign(List.of(FIRST, SECOND));
      ByteBuffer value = ByteBuffer.wrap(new byte[] {7, 8});
      assertThat(hand(consumer, "b0", value)).isSameAs(value);
      assertThat(consumer.paused()).containsExactly(FIRST);
      hand(consumer, "b1", value);
      assertThat(consumer.paused()).containsExactlyInAnyOrder(FIRST, SECOND);
    }
  }

  @Test
  void aResumedPartitionIsPausedByTheNextPollThatHandsOverRecords() {
    try (SingleFetchConsumer consumer = consumer()) {
      consumer.assign(List.of(FIRST));
      consumer.seek(FIRST, 0);
      hand(consumer, "b0", ByteBuffer.allocate(1));
      consumer.resume(List.of(FIRST));
      assertThat(consumer.poll(Duration.ZERO)).isEmpty();
      assertThat(consumer.paused()).isEmpty();
      hand(consumer, "b0", ByteBuffer.allocate(1));
      assertThat(consumer.paused()).containsExactly(FIRST);
    }
  }
}
