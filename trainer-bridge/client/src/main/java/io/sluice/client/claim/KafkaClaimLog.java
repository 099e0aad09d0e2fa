package io.sluice.client.claim;

import io.sluice.client.run.RunInfo;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import io.sluice.schema.Topics;
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

/**
 * Where a run's claims are by themselves, in a partition of its feedback; not thread-safe. Every
 * claim is in the feedback, too: the job reads it there, and so do processes of releases that knew
 * no such partition. A topic that one of those made has claims in the feedback alone.
 */
public final class KafkaClaimLog implements ClaimLog {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final KafkaAccess access;
  private final TopicPartition feedback;
  private final byte[] key;
  private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
  private boolean following;

  public KafkaClaimLog(KafkaAccess access, RunInfo run) {
    this.access = access;
    this.feedback = new TopicPartition(access.topics().feedback(run.name()), 0);
    this.key = run.runId().getBytes(StandardCharsets.UTF_8);
    this.consumer = TopicReader.consumer(access, Map.of());
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
      TopicPartition claims = claims();
      long offset = send(producer, claims, message);
      if (!following) {
        consumer.assign(List.of(claims));
        consumer.seek(claims, offset + 1);
        following = true;
      }
      if (!claims.equals(feedback)) {
        send(producer, feedback, message);
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

  private TopicPartition claims() {
    int partitions = consumer.partitionsFor(feedback.topic(), TIMEOUT).size();
    return partitions > Topics.CLAIMS
        ? new TopicPartition(feedback.topic(), Topics.CLAIMS)
        : feedback;
  }

  private long send(KafkaProducer<byte[], byte[]> producer, TopicPartition to, byte[] message)
      throws ExecutionException, InterruptedException {
    return producer
        .send(new ProducerRecord<>(to.topic(), to.partition(), key, message))
        .get()
        .offset();
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
