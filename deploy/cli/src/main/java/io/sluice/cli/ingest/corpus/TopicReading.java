package io.sluice.cli.ingest.corpus;

import io.sluice.control.config.ClientSettings;
import io.sluice.control.line.Fields;
import io.sluice.corpus.topic.RecordDocuments;
import io.sluice.corpus.topic.SchemaRegistry;
import io.sluice.corpus.topic.TopicFormat;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
  private static final String BY = "--source-kafka-config";

  /** The topic that a dataset's source is. */
  static TopicReading of(KafkaAccess corpus, DatasetSource source, Fields fields) {
    TopicFormat format =
        TopicFormat.valueOf(source.getTopicFormat().toUpperCase(Locale.ROOT).replace('-', '_'));
    return of(
        access(corpus, source),
        source.getTopic(),
        format,
        fields,
        given(source.getSchemaRegistry()).map(SchemaRegistry::new).orElse(null));
  }

  /** How to reach the topic that a dataset's source is. */
  static KafkaAccess access(KafkaAccess corpus, DatasetSource source) {
    return reach(
        corpus, given(source.getTopicServers()), given(source.getTopicConfig()).map(Path::of));
  }

  private static Optional<String> given(String value) {
    return Optional.of(value).filter(said -> !said.isEmpty());
  }

  /**
   * How to reach a topic.
   *
   * @param corpus how the corpus is reached
   * @param servers brokers, if they are others
   * @param config settings of their clients
   */
  public static KafkaAccess reach(
      KafkaAccess corpus, Optional<String> servers, Optional<Path> config) {
    if (servers.isEmpty() && config.isEmpty()) {
      return corpus;
    }
    return new KafkaAccess(
        servers.orElse(corpus.bootstrapServers()),
        corpus.topics(),
        config.map(file -> ClientSettings.read(BY, file)).orElse(Map.of()));
  }

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
