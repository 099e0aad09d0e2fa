package io.sluice.jobs.mix.mark;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Limits;
import io.sluice.schema.WholeStream;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Marks in a compacted topic. Connects for each call, which are rare. */
public record KafkaStreamMarks(KafkaAccess access) implements StreamMarks {
  /** How long a write may take: who waits for it does without. */
  private static final int PATIENCE_MILLIS = 20_000;

  @Override
  public Map<String, WholeStream> read() {
    Map<String, WholeStream> marks = new HashMap<>();
    TopicScan scan = new TopicScan(access);
    try {
      scan.read(List.of(access.topics().streams()), message -> take(message, marks));
    } catch (BadInputException | TopicAuthorizationException e) {
      // Without such a topic, as in deployments of earlier releases, no stream is known to be
      // whole.
      return Map.of();
    }
    return marks;
  }

  /** Of a run whose id is too long there is none: it could not even be taken back. */
  static void take(ConsumerRecord<byte[], byte[]> message, Map<String, WholeStream> marks) {
    if (message.key() == null || message.key().length > Limits.RUN_ID) {
      return;
    }
    String runId = new String(message.key(), StandardCharsets.UTF_8);
    marks.remove(runId);
    if (message.value() == null) {
      return;
    }
    try {
      WholeStream mark = WireCodec.decode(WholeStream.class, message.value());
      if (mark.getRunId().equals(runId)) {
        marks.put(runId, mark);
      }
    } catch (WireFormatException e) {
      // The run is looked at as one without a mark.
      return;
    }
  }

  @Override
  public void write(Collection<WholeStream> marks, Collection<String> revoked) {
    if (!isThere()) {
      return;
    }
    Map<String, Object> settings =
        Map.of(
            "client.id",
            "sluice-mix-streams",
            "acks",
            "all",
            "enable.idempotence",
            true,
            "max.block.ms",
            PATIENCE_MILLIS,
            "request.timeout.ms",
            PATIENCE_MILLIS / 2,
            "delivery.timeout.ms",
            PATIENCE_MILLIS);
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(settings), new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      revoked.forEach(runId -> sent.add(producer.send(record(runId, null))));
      marks.forEach(
          mark -> sent.add(producer.send(record(mark.getRunId(), WireCodec.encode(mark)))));
      for (Future<?> each : sent) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new KafkaException(String.valueOf(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptException(e);
    }
  }

  /** A producer would wait long for a topic that is missing, or make it as it should not be. */
  private boolean isThere() {
    try {
      return !new TopicScan(access).ends(List.of(access.topics().streams())).isEmpty();
    } catch (BadInputException e) {
      return false;
    }
  }

  private ProducerRecord<byte[], byte[]> record(String runId, byte @Nullable [] value) {
    byte[] key = runId.getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(access.topics().streams(), key, value);
  }
}
