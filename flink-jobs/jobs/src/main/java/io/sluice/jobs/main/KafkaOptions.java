package io.sluice.jobs.main;

import io.sluice.control.config.ClientSettings;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a job reaches Kafka. */
final class KafkaOptions {
  @Option(
      names = "--kafka",
      required = true,
      paramLabel = "HOST:PORT[,…]",
      description = "Kafka's bootstrap servers.")
  private String servers = "";

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description =
          "First part of every topic, group and transactional id. Default: ${DEFAULT-VALUE}.")
  private String prefix = Topics.standard().prefix();

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description =
          "Properties file with further settings of every Kafka client. Passwords in it are read by each"
              + " process of the cluster itself, from a file of this path; they are in no job graph.")
  private @Nullable Path config;

  KafkaAccess access() {
    Map<String, String> settings =
        config == null
            ? Map.of()
            : SecretReferences.to(config, ClientSettings.read("--kafka-config", config));
    return new KafkaAccess(servers, new Topics(prefix), settings);
  }
}
