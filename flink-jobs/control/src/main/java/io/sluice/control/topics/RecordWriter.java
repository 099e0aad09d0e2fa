package io.sluice.control.topics;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.Limits;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes single records, which every replica has once a call returns. */
public final class RecordWriter {
  private RecordWriter() {}

  /**
   * Writes a record.
   *
   * @throws IllegalArgumentException if it is larger than its topic takes
   * @throws KafkaUnreachableException when no broker takes it in time
   */
  public static void write(
      KafkaAccess access, String topic, String key, SpecificRecordBase message, Duration wait) {
    write(access, topic, Map.of(key, message), wait);
  }

  /**
   * Writes that there is nothing under a key any more.
   *
   * @throws KafkaUnreachableException when no broker takes it in time
   */
  public static void delete(KafkaAccess access, String topic, String key, Duration wait) {
    delete(access, topic, List.of(key), wait);
  }

  /** The same of several keys. */
  public static void delete(
      KafkaAccess access, String topic, Collection<String> keys, Duration wait) {
    Map<String, byte @Nullable []> none = new LinkedHashMap<>();
    keys.forEach(key -> none.put(key, null));
    send(access, topic, none, wait);
  }

  /** Writes records by their keys, each as if it were the only one. */
  static void write(
      KafkaAccess access,
      String topic,
      Map<String, ? extends SpecificRecordBase> messages,
      Duration wait) {
    Map<String, byte @Nullable []> values = new LinkedHashMap<>();
    messages.forEach(
        (key, message) ->
            values.put(key, Limits.requireRecord("the record", WireCodec.encode(message))));
    send(access, topic, values, wait);
  }

  private static void send(
      KafkaAccess access, String topic, Map<String, byte @Nullable []> values, Duration wait) {
    Map<String, String> own =
        Map.of(
            "acks", "all",
            "max.block.ms", Long.toString(wait.toMillis()),
            "delivery.timeout.ms", Long.toString(wait.toMillis()),
            "request.timeout.ms", "5000",
            "linger.ms", "0");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(own), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (Map.Entry<String, byte @Nullable []> each : values.entrySet()) {
        byte[] key = each.getKey().getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(topic, key, each.getValue())).get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TimeoutException timeout) {
        throw new KafkaUnreachableException(access.bootstrapServers(), wait, timeout);
      }
      throw e.getCause() instanceof KafkaException known
          ? refusal(known)
          : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (TimeoutException e) {
      throw new KafkaUnreachableException(access.bootstrapServers(), wait, e);
    } catch (KafkaException e) {
      throw refusal(e);
    }
  }

  /**
   * What brokers refused a producer, which it wraps where it heard of that before it was asked to
   * send.
   */
  static KafkaException refusal(KafkaException e) {
    return e.getCause() instanceof AuthorizationException refused ? refused : e;
  }
}
