package io.sluice.lab.bench.mix;

import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The limit: one thread that hands what a consumer returns to a producer, in any order.
 *
 * @param partitions of the topic that it writes
 */
record PlainCopy(KafkaAccess kafka, List<TopicPartition> from, int partitions) implements Copy {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration END = Duration.ofSeconds(10);

  PlainCopy {
    from = List.copyOf(from);
  }

  @Override
  public String name() {
    return "plain copy";
  }

  @Override
  public Running start(int number) {
    String topic = kafka.topics().prefix() + "plain-copy-" + number;
    BenchTopics.create(kafka, topic, partitions);
    Consumer<byte[], byte[]> consumer =
        TopicReader.consumer(kafka, Map.of("isolation.level", "read_committed"));
    Thread thread = new Thread(() -> copy(consumer, topic), "plain-copy");
    thread.setDaemon(true);
    thread.start();
    return new Running(
        BenchTopics.partitions(topic, partitions),
        () -> {
          consumer.wakeup();
          try {
            thread.join(END.toMillis());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          BenchTopics.delete(kafka, List.of(topic));
        });
  }

  private void copy(Consumer<byte[], byte[]> consumer, String topic) {
    try (consumer;
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                BenchTopics.producer(kafka),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      consumer.assign(from);
      consumer.seekToBeginning(from);
      long copied = 0;
      while (true) {
        for (ConsumerRecord<byte[], byte[]> block : consumer.poll(POLL)) {
          int partition = (int) (copied++ % partitions);
          var unused =
              producer.send(
                  new ProducerRecord<>(topic, partition, block.timestamp(), null, block.value()));
        }
      }
    } catch (WakeupException | InterruptException e) {
      // Closed: what was copied has been measured.
      return;
    }
  }
}
