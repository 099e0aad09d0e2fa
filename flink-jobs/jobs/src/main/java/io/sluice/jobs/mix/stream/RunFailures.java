package io.sluice.jobs.mix.stream;

import io.sluice.schema.KafkaAccess;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Asks for runs to be failed of which nothing can be emitted, by those who emit nothing. */
@FunctionalInterface
public interface RunFailures {
  /**
   * Asks for a failure to be logged, and waits until that is written.
   *
   * @throws KafkaException if it cannot be written
   */
  void report(StreamTarget target, String reason);

  /** Failures that are asked for in Kafka. Connects for each, which is rare. */
  static RunFailures in(KafkaAccess access) {
    return (target, reason) -> {
      FailureCommands commands = new FailureCommands(access.topics(), InstantSource.system());
      Map<String, Object> settings =
          Map.of("client.id", "sluice-mix-failures", "acks", "all", "enable.idempotence", true);
      try (Producer<byte[], ByteBuffer> producer =
          new KafkaProducer<>(
              access.with(settings), new ByteArraySerializer(), new BlockSerializer())) {
        producer.send(commands.of(target.runId(), reason)).get();
      } catch (ExecutionException e) {
        throw new KafkaException(String.valueOf(e.getCause()), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptException(e);
      }
    };
  }
}
