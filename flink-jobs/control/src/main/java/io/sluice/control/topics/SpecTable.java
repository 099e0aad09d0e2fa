package io.sluice.control.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecordBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table of specifications by their names: the last one of each. Its topic must exist.
 *
 * @param type of the specifications
 * @param name what one is called
 */
public record SpecTable<T extends SpecificRecordBase>(
    KafkaAccess kafka, String topic, Class<T> type, Function<T, String> name) {
  private static final Logger LOG = LoggerFactory.getLogger(SpecTable.class);
  private static final Duration WAIT = Duration.ofSeconds(15);

  /**
   * Adds or replaces one; returns once the broker has it.
   *
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public void publish(T spec) {
    RecordWriter.write(kafka, topic, name.apply(spec), spec, WAIT);
  }

  /**
   * Takes one out; returns once the broker has it.
   *
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public void delete(String name) {
    RecordWriter.delete(kafka, topic, name, WAIT);
  }

  /**
   * All of them, by name.
   *
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public List<T> all() {
    TreeMap<String, T> specs = new TreeMap<>();
    try (TopicReader reader = TopicReader.committed(kafka)) {
      reader.catchUp(
          topic,
          WAIT,
          message -> {
            if (message.value() == null && message.key() != null) {
              specs.remove(new String(message.key(), UTF_8));
              return;
            }
            try {
              T spec = WireCodec.decode(type, message.value());
              specs.put(name.apply(spec), spec);
            } catch (WireFormatException e) {
              LOG.debug(
                  "offset {} of {} is no {}: {}",
                  message.offset(),
                  topic,
                  type.getSimpleName(),
                  e.getMessage());
            }
          });
    }
    return List.copyOf(specs.values());
  }
}
