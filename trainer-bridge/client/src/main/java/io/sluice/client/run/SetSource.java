package io.sluice.client.run;

import io.sluice.schema.DocumentSet;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.set.DocumentHashes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Where sets of documents are read. */
public interface SetSource {
  /**
   * Those of some sets that are there now, by their names.
   *
   * @throws KafkaUnreachableException if no broker answers
   */
  Map<String, DocumentHashes> read(Set<String> names);

  /** Where that is, for messages. */
  String place();

  /** The topic of sets, read to its end each time. */
  record Topic(KafkaAccess access) implements SetSource {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Override
    public Map<String, DocumentHashes> read(Set<String> names) {
      Map<String, DocumentHashes> found = new HashMap<>();
      try (TopicReader reader = TopicReader.uncommitted(access)) {
        reader.catchUp(
            access.topics().sets(),
            PATIENCE,
            message -> set(message, names).ifPresent(set -> found.putIfAbsent(set.name(), set)));
      }
      return found;
    }

    @Override
    public String place() {
      return "topic " + access.topics().sets();
    }
  }

  /** The set that a record has by content, if it claims to be one of these and is. */
  static Optional<DocumentHashes> set(ConsumerRecord<byte[], byte[]> message, Set<String> names) {
    byte[] key = message.key();
    if (key == null || !names.contains(new String(key, StandardCharsets.UTF_8))) {
      return Optional.empty();
    }
    try {
      DocumentHashes set = DocumentHashes.of(WireCodec.decode(DocumentSet.class, message.value()));
      return names.contains(set.name()) ? Optional.of(set) : Optional.empty();
    } catch (WireFormatException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
