package io.sluice.cli.dataset;

import io.sluice.control.config.Option;
import io.sluice.corpus.topic.SchemaRegistry;
import io.sluice.corpus.topic.TopicFormat;
import io.sluice.schema.DatasetSource;
import java.net.URI;
import java.util.stream.Stream;

/** What a source in {@code dataset.yaml} says of a topic. */
final class SourceTopic {
  static final Option<String> TOPIC =
      SourceOptions.text(
          "topic",
          "name of a Kafka topic",
          "none, with path",
          "articles",
          "Copy the records of this topic instead of files, as ingest --topic does, into one domain.");

  static final Option<String> TOPIC_FORMAT =
      Option.oneOf(
          "topic-format",
          Stream.of(TopicFormat.values()).map(TopicFormat::toString).toList(),
          TopicFormat.JSON.toString(),
          "What its records are, as ingest --topic-format has it.");

  static final Option<String> SOURCE_KAFKA =
      SourceOptions.text(
          "source-kafka",
          "HOST:PORT[,...]",
          "those of --kafka",
          "broker:9093",
          "The brokers that have the topic.");

  static final Option<String> SOURCE_KAFKA_CONFIG =
      SourceOptions.text(
          "source-kafka-config",
          "a properties file",
          "--kafka-config, if the brokers are the same",
          "source.properties",
          "Settings of the clients that read the topic; without a '/' in front below the folder of"
              + " the file, and read where the sources are ingested.");

  static final Option<String> SCHEMA_REGISTRY =
      SourceOptions.text(
          "schema-registry",
          "URL without a user",
          "none",
          "https://registry:8081",
          "Where the schemas of confluent-avro are. One that wants a password needs ingest --topic:"
              + " a dataset is for everybody to read.");

  private static final String NAME = "[A-Za-z0-9._-]{1,249}";

  private SourceTopic() {}

  /**
   * Checks a source, which may be one of files.
   *
   * @param key of the source
   */
  static void require(DatasetSource source, String key, String file) {
    boolean named = !source.getTopic().isEmpty();
    if (named != source.getPath().isEmpty()) {
      throw DatasetSources.invalid(
          file, key, "of one of path and topic", named ? "both" : "neither");
    }
    if (!named) {
      requireNone(source, key, file);
      return;
    }
    if (!source.getTopic().matches(NAME)) {
      throw DatasetSources.invalid(
          file, key + ".topic", "the name of a topic", "'" + source.getTopic() + "'");
    }
    if (source.getDomain().isEmpty()) {
      throw DatasetSources.invalid(
          file, key + ".domain", "a domain with topic", "a folder or column");
    }
    if (!source.getFormat().equals(SourceOptions.AUTO)) {
      throw DatasetSources.invalid(
          file, key + ".format", "left out with topic: topic-format says it", source.getFormat());
    }
    if (source.getByReference()) {
      throw DatasetSources.invalid(file, key + ".by-reference", "false with topic", "true");
    }
    requireRegistry(source, key, file);
  }

  private static void requireNone(DatasetSource source, String key, String file) {
    boolean none =
        source.getTopicFormat().equals(TopicFormat.JSON.toString())
            && source.getTopicServers().isEmpty()
            && source.getTopicConfig().isEmpty()
            && source.getSchemaRegistry().isEmpty();
    if (!none) {
      throw DatasetSources.invalid(
          file,
          key,
          "with topic for topic-format, source-kafka, source-kafka-config and schema-registry",
          "path");
    }
  }

  private static void requireRegistry(DatasetSource source, String key, String file) {
    String url = source.getSchemaRegistry();
    boolean wanted = source.getTopicFormat().equals(TopicFormat.CONFLUENT_AVRO.toString());
    if (wanted == url.isEmpty()) {
      throw DatasetSources.invalid(
          file,
          key + ".schema-registry",
          "there with topic-format confluent-avro, and with no other",
          source.getTopicFormat());
    }
    if (!wanted) {
      return;
    }
    new SchemaRegistry(url);
    if (URI.create(url).getRawUserInfo() != null) {
      throw DatasetSources.invalid(
          file, key + ".schema-registry", "without a user and a password", "one with them");
    }
  }
}
