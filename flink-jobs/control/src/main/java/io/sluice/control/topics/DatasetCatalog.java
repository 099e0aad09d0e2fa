package io.sluice.control.topics;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deployment's datasets: the last specification of each name on the {@code datasets} topic.
 * Every method throws {@link KafkaUnreachableException} when no broker answers in time.
 */
public final class DatasetCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(DatasetCatalog.class);
  private static final Duration WAIT = Duration.ofSeconds(15);

  private final KafkaAccess kafka;

  /** The catalog under the access's prefix; its topic must exist. */
  public DatasetCatalog(KafkaAccess kafka) {
    this.kafka = kafka;
  }

  /** Adds or replaces a dataset; returns once the broker has it. */
  public void publish(DatasetSpec spec) {
    byte[] key = spec.getName().getBytes(StandardCharsets.UTF_8);
    Map<String, String> own =
        Map.of(
            "max.block.ms",
            millis(),
            "delivery.timeout.ms",
            millis(),
            "request.timeout.ms",
            "5000",
            "linger.ms",
            "0");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(own), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>(kafka.topics().datasets(), key, WireCodec.encode(spec)))
          .get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TimeoutException timeout) {
        throw unreachable(timeout);
      }
      throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (TimeoutException e) {
      throw unreachable(e);
    }
  }

  /** The dataset of that name, if there is one. */
  public Optional<DatasetSpec> find(String name) {
    return all().stream().filter(spec -> spec.getName().equals(name)).findFirst();
  }

  /**
   * The dataset of that name.
   *
   * @throws IllegalArgumentException if there is none, listing those there are
   */
  public DatasetSpec require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "dataset must be one of "
                        + all().stream().map(DatasetSpec::getName).toList()
                        + ": '"
                        + name
                        + "'"));
  }

  /** Every dataset, by name. */
  public List<DatasetSpec> all() {
    TreeMap<String, DatasetSpec> specs = new TreeMap<>();
    try (TopicReader reader = TopicReader.committed(kafka)) {
      reader.catchUp(
          kafka.topics().datasets(),
          WAIT,
          message -> decode(message).ifPresent(spec -> specs.put(spec.getName(), spec)));
    }
    return List.copyOf(specs.values());
  }

  private static Optional<DatasetSpec> decode(ConsumerRecord<byte[], byte[]> message) {
    try {
      return Optional.of(WireCodec.decode(DatasetSpec.class, message.value()));
    } catch (WireFormatException e) {
      LOG.debug("offset {} of the datasets is no dataset: {}", message.offset(), e.getMessage());
      return Optional.empty();
    }
  }

  private KafkaUnreachableException unreachable(TimeoutException e) {
    return new KafkaUnreachableException(kafka.bootstrapServers(), WAIT, e);
  }

  private static String millis() {
    return Long.toString(WAIT.toMillis());
  }
}
