package io.sluice.corpus.topic;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Fields;
import io.sluice.control.line.Line;
import io.sluice.control.line.LineDocuments;
import io.sluice.control.line.RefusedException;
import io.sluice.schema.Document;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes documents of the values of a topic's records. A document's origin is the topic, '/' and the
 * partition; its line is the record's offset and 1, and with both it is called where the record
 * gives no id. Thread-safe.
 */
@FunctionalInterface
public interface RecordDocuments {
  /**
   * The document of a record; empty if there is nothing in it.
   *
   * @param origin topic, '/' and partition
   * @throws RefusedException saying why it is no document
   * @throws io.sluice.control.error.UnreachableException if that cannot be told now
   */
  Optional<Document> of(String origin, long offset, byte[] value) throws RefusedException;

  /**
   * What makes documents of a format's records.
   *
   * @param fields where text and id are, in formats that have fields
   * @param registry of the schemas, which {@link TopicFormat#CONFLUENT_AVRO} needs
   */
  static RecordDocuments of(TopicFormat format, Fields fields, @Nullable SchemaRegistry registry) {
    return switch (format) {
      case DOCUMENT -> new WrittenDocuments();
      case JSON -> lines(Optional.of(fields));
      case TEXT -> lines(Optional.empty());
      case CONFLUENT_AVRO -> {
        if (registry == null) {
          throw new BadInputException("--topic-format confluent-avro needs --schema-registry");
        }
        yield new ConfluentDocuments(fields, registry);
      }
    };
  }

  private static RecordDocuments lines(Optional<Fields> json) {
    return (origin, offset, value) ->
        new LineDocuments(json, Optional.empty(), origin, origin)
            .of(new Line(offset + 1, value, value.length));
  }
}
