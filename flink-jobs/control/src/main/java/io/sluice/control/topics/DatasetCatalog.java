package io.sluice.control.topics;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deployment's datasets: the last specification of each name on the {@code datasets} topic,
 * which must exist. Every method throws {@link KafkaUnreachableException} when no broker answers in
 * time.
 */
public record DatasetCatalog(KafkaAccess kafka) {
  private static final Logger LOG = LoggerFactory.getLogger(DatasetCatalog.class);
  private static final Duration WAIT = Duration.ofSeconds(15);

  /** Adds or replaces a dataset; returns once the broker has it. */
  public void publish(DatasetSpec spec) {
    RecordWriter.write(kafka, kafka.topics().datasets(), spec.getName(), spec, WAIT);
  }

  /** The dataset of that name, if there is one. */
  public Optional<DatasetSpec> find(String name) {
    return all().stream().filter(spec -> spec.getName().equals(name)).findFirst();
  }

  /**
   * The dataset of that name.
   *
   * @throws BadInputException if there is none, listing those there are
   */
  public DatasetSpec require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new BadInputException(
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
}
