package io.sluice.jobs.main;

import io.sluice.control.config.ClientSettings;
import io.sluice.control.error.BadInputException;
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
          "First part of every topic, group and transactional id; of mix also RUNS:DATASETS, where the"
              + " datasets are under another prefix. Default: ${DEFAULT-VALUE}.")
  private String prefix = Topics.standard().prefix();

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description =
          "Properties file with further settings of every Kafka client. Passwords in it are read by each"
              + " process of the cluster itself, from a file of this path; they are in no job graph.")
  private @Nullable Path config;

  /**
   * Refuses datasets of somebody else's.
   *
   * @throws BadInputException naming the prefix under which they are prepared
   */
  static void requireOwner(KafkaAccess kafka) {
    if (!kafka.topics().ownsDatasets()) {
      throw new BadInputException(
          "--prefix must be that of the datasets alone, '%s', for a job that makes them: '%s'"
              .formatted(kafka.topics().datasetsPrefix(), kafka.topics().prefixes()));
    }
  }

  KafkaAccess access() {
    Map<String, String> settings =
        config == null
            ? Map.of()
            : SecretReferences.to(config, ClientSettings.read("--kafka-config", config));
    return new KafkaAccess(servers, Topics.of(prefix), settings);
  }
}
