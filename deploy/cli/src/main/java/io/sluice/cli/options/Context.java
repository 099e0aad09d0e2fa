package io.sluice.cli.options;

import io.sluice.schema.Topics;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A deployment by a name of one's own.
 *
 * @param name 1 to 63 letters, digits, '_' or '-'
 * @param kafka bootstrap servers
 * @param prefix first part of every topic's name; empty for the default one
 * @param kafkaConfig properties of every Kafka client, an absolute path; empty for none
 * @param plugins directory of jars, an absolute path; empty for the default one
 */
public record Context(
    String name,
    String kafka,
    Optional<String> prefix,
    Optional<Path> kafkaConfig,
    Optional<Path> plugins) {
  /** Checks the parts. */
  public Context {
    Topics.requireName("context", name);
    if (!KafkaServers.isList(kafka)) {
      throw new IllegalArgumentException(
          "kafka of context '" + name + "' must be " + KafkaServers.FORM + ": '" + kafka + "'");
    }
    prefix.ifPresent(Topics::of);
    requireAbsolute("kafka-config", name, kafkaConfig);
    requireAbsolute("plugins", name, plugins);
  }

  private static void requireAbsolute(String key, String name, Optional<Path> path) {
    path.filter(given -> !given.isAbsolute())
        .ifPresent(
            given -> {
              throw new IllegalArgumentException(
                  key + " of context '" + name + "' must be an absolute path: '" + given + "'");
            });
  }

  /** What names a setting of it, for messages. */
  String named() {
    return "context '" + name + "'";
  }
}
