package io.sluice.cli.ingest;

import io.sluice.cli.ingest.corpus.TopicReading;
import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Fields;
import io.sluice.corpus.topic.SchemaRegistry;
import io.sluice.corpus.topic.TopicFormat;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a topic that others write. */
final class TopicOptions {
  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description =
          "Copy the records of this Kafka topic instead of files, of all its partitions, each once.")
  private @Nullable String topic;

  @Option(
      names = "--topic-format",
      defaultValue = "json",
      paramLabel = "FORMAT",
      description =
          "What its records are: document (as in a corpus), json (an object), text, or"
              + " confluent-avro. Default: json.")
  private TopicFormat format = TopicFormat.JSON;

  @Option(
      names = "--source-kafka",
      paramLabel = "HOST:PORT[,…]",
      description = "The brokers that have the topic. Default: those of --kafka.")
  private @Nullable String servers;

  @Option(
      names = "--source-kafka-config",
      paramLabel = "FILE",
      description =
          "Properties file with settings of the clients that read it. Default: --kafka-config, if"
              + " the brokers are the same.")
  private @Nullable Path config;

  @Option(
      names = "--schema-registry",
      paramLabel = "URL",
      description =
          "Where the schemas of confluent-avro are, perhaps with USER:PASSWORD@, which nothing"
              + " prints.")
  private @Nullable String registry;

  /** Whether any of them is given. */
  boolean given() {
    return topic != null || servers != null || config != null || registry != null;
  }

  /** Whether they name a topic. */
  boolean named() {
    return topic != null;
  }

  /**
   * The topic, and what its records are.
   *
   * @param corpus how to reach the corpus
   */
  TopicReading reading(KafkaAccess corpus, Fields fields) {
    if (registry != null && format != TopicFormat.CONFLUENT_AVRO) {
      throw new BadInputException("--schema-registry needs --topic-format confluent-avro");
    }
    return TopicReading.of(
        TopicReading.reach(corpus, Optional.ofNullable(servers), Optional.ofNullable(config)),
        Objects.requireNonNull(topic),
        format,
        fields,
        registry == null ? null : new SchemaRegistry(registry));
  }
}
