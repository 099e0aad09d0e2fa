package io.sluice.cli.ingest;

import io.sluice.control.error.UnreachableException;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The end of a domain's corpus topic. */
final class CorpusTail {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaAccess access;
  private final TopicPartition partition;

  CorpusTail(KafkaAccess access, String topic) {
    this.access = access;
    this.partition = new TopicPartition(topic, 0);
  }

  /** Records in the topic. */
  long size() {
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      return end(consumer);
    }
  }

  /** True if the last record is an end marker. */
  boolean hasEnded() {
    try (Consumer<byte[], byte[]> consumer = consumer()) {
      long end = end(consumer);
      if (end == 0) {
        return false;
      }
      consumer.assign(List.of(partition));
      consumer.seek(partition, end - 1);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> last : consumer.poll(POLL)) {
          return isEndMarker(last.value());
        }
      }
      throw new UnreachableException("Kafka does not answer with the last record of " + partition);
    }
  }

  private static boolean isEndMarker(byte @Nullable [] value) {
    try {
      return WireCodec.decode(value) instanceof EndOfDomain;
    } catch (WireFormatException e) {
      // PrepareJob writes it to the dead letters.
      return false;
    }
  }

  private long end(Consumer<byte[], byte[]> consumer) {
    return consumer.endOffsets(List.of(partition), PATIENCE).getOrDefault(partition, 0L);
  }

  private Consumer<byte[], byte[]> consumer() {
    return TopicReader.consumer(access, Map.of());
  }
}
