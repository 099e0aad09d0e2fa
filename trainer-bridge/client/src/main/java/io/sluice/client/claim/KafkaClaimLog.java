package io.sluice.client.claim;

import io.sluice.client.run.RunInfo;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The feedback partition of a run; not thread-safe. */
public final class KafkaClaimLog implements ClaimLog {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final KafkaAccess access;
  private final TopicPartition partition;
  private final byte[] key;
  private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
  private boolean following;

  public KafkaClaimLog(KafkaAccess access, RunInfo run) {
    this.access = access;
    this.partition = new TopicPartition(access.topics().feedback(run.name()), 0);
    this.key = run.runId().getBytes(StandardCharsets.UTF_8);
    this.consumer = TopicReader.consumer(access, Map.of());
    consumer.assign(List.of(partition));
  }

  @Override
  public void publish(byte[] message) {
    Map<String, String> settings =
        Map.of(
            "acks",
            "all",
            "enable.idempotence",
            "true",
            "max.block.ms",
            Long.toString(TIMEOUT.toMillis()),
            "request.timeout.ms",
            Long.toString(TIMEOUT.toMillis()),
            "delivery.timeout.ms",
            Long.toString(TIMEOUT.toMillis()),
            "linger.ms",
            "0");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(settings), new ByteArraySerializer(), new ByteArraySerializer())) {
      long offset =
          producer
              .send(new ProducerRecord<>(partition.topic(), partition.partition(), key, message))
              .get()
              .offset();
      if (!following) {
        consumer.seek(partition, offset + 1);
        following = true;
      }
    } catch (ExecutionException e) {
      throw new KafkaUnreachableException(
          access.bootstrapServers(), TIMEOUT, Objects.requireNonNullElse(e.getCause(), e));
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      throw new KafkaUnreachableException(access.bootstrapServers(), TIMEOUT, e);
    }
  }

  @Override
  public void readOn(Consumer<byte[]> sink) {
    ConsumerRecords<byte[], byte[]> found = consumer.poll(Duration.ofMillis(100));
    while (!found.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> message : found) {
        if (message.value() != null) {
          sink.accept(message.value());
        }
      }
      found = consumer.poll(Duration.ZERO);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
