package io.sluice.lab.bench.loop;

import io.sluice.control.error.UnreachableException;
import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** How long a small record takes from a producer through the broker to a consumer. */
final class LogRoundTrip {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int RECORD_BYTES = 512;

  private LogRoundTrip() {}

  /**
   * Sends one record after the other.
   *
   * @param warmUp records that are not measured
   * @param count that are
   * @return nanoseconds of each
   */
  static List<Long> measure(KafkaAccess kafka, int warmUp, int count) {
    String topic = kafka.topics().prefix() + "round-trip";
    BenchTopics.create(kafka, topic, 1);
    TopicPartition partition = new TopicPartition(topic, 0);
    List<Long> nanos = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                kafka.with(Map.of("linger.ms", "0", "acks", "all")),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        Consumer<byte[], byte[]> consumer =
            TopicReader.consumer(kafka, Map.of("fetch.max.wait.ms", "500"))) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      for (int n = 0; n < warmUp + count; n++) {
        long start = System.nanoTime();
        var unused = producer.send(new ProducerRecord<>(topic, 0, null, new byte[RECORD_BYTES]));
        while (consumer.poll(POLL).isEmpty()) {
          if (System.nanoTime() - start > PATIENCE_NANOS) {
            throw new UnreachableException("a record sent to " + topic + " cannot be read");
          }
        }
        if (n >= warmUp) {
          nanos.add(System.nanoTime() - start);
        }
      }
    }
    return nanos;
  }
}
