package io.sluice.cli.ingest.corpus;

import io.sluice.control.line.Fields;
import io.sluice.corpus.topic.RecordDocuments;
import io.sluice.corpus.topic.SchemaRegistry;
import io.sluice.corpus.topic.TopicFormat;
import io.sluice.schema.KafkaAccess;
import org.jspecify.annotations.Nullable;

/**
 * A topic that others write, and what its records are.
 *
 * @param source how to reach it
 * @param documents makes documents of its records
 * @param reading what they are read as: they are never read otherwise
 */
public record TopicReading(
    KafkaAccess source, String topic, RecordDocuments documents, String reading) {
  /**
   * A topic whose records are of a format.
   *
   * @param registry where schemas are; null where none are needed
   */
  public static TopicReading of(
      KafkaAccess source,
      String topic,
      TopicFormat format,
      Fields fields,
      @Nullable SchemaRegistry registry) {
    boolean named = format == TopicFormat.JSON || format == TopicFormat.CONFLUENT_AVRO;
    return new TopicReading(
        source,
        topic,
        RecordDocuments.of(format, fields, registry),
        "records of " + format + (named ? fields.places() : ""));
  }
}
