package io.sluice.cli.options;

import io.sluice.control.config.ClientSettings;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options that may stand before or after the name of any command. */
public final class GlobalOptions {
  private static final String ENVIRONMENT = "SLUICE_KAFKA";
  private static final String PLUGINS = "SLUICE_PLUGINS";

  /** Where images of the cluster have their plugins. */
  private static final Path INSTALLED = Path.of("/opt/sluice/plugins");

  private static final Pattern SERVER = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\s:/]+):\\d{1,5}");

  private final Map<String, String> environment;
  private final Path home;

  @Option(
      names = "--kafka",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT[,…]",
      description =
          "Kafka's bootstrap servers. Default: $SLUICE_KAFKA, else what 'sluice up' started.")
  private @Nullable String kafka;

  @Option(
      names = "--prefix",
      scope = ScopeType.INHERIT,
      paramLabel = "PREFIX",
      description = "First part of every topic, group and transactional id. Default: sluice.")
  private String prefix = "sluice.";

  @Option(
      names = "--kafka-config",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description =
          "Properties file with further settings of every Kafka client, such as security.")
  private @Nullable Path kafkaConfig;

  @Option(
      names = "--plugins",
      scope = ScopeType.INHERIT,
      paramLabel = "DIR",
      description =
          "Directory of jars with policies and metrics of your own, for this command and every process"
              + " that it starts. Default: $SLUICE_PLUGINS, else /opt/sluice/plugins if it exists.")
  private @Nullable Path plugins;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of a failure.")
  private boolean debug;

  /**
   * Options that fall back to the environment.
   *
   * @param home directory of everything that Sluice keeps on this machine
   */
  public GlobalOptions(Map<String, String> environment, Path home) {
    this.environment = Map.copyOf(environment);
    this.home = home.toAbsolutePath().normalize();
  }

  /** Directory of everything that Sluice keeps on this machine. */
  public Path home() {
    return home;
  }

  /** File that holds the bootstrap servers of the service that runs on this machine. */
  public Path endpointFile() {
    return home.resolve("up").resolve("endpoint");
  }

  /** True if failures are printed with their stack trace. */
  public boolean debug() {
    return debug;
  }

  /** True if the user named a broker, by option or environment. */
  public boolean namesKafka() {
    return kafka != null || environment.containsKey(ENVIRONMENT);
  }

  /** True if the user gave a file of client settings. */
  public boolean configuresKafka() {
    return kafkaConfig != null;
  }

  /**
   * Checks that the plugins, if there are any, are what they should be.
   *
   * @throws BadInputException naming the folder, or the jar
   */
  public void requirePlugins() {
    String named = environment.get(PLUGINS);
    if (plugins != null) {
      Plugins.require("--plugins", plugins);
    } else if (named != null && !named.isEmpty()) {
      Plugins.require("$" + PLUGINS, Path.of(named));
    } else if (Files.isDirectory(INSTALLED)) {
      Plugins.require("the default of --plugins", INSTALLED);
    }
  }

  /** Names of the topics. */
  public Topics topics() {
    return new Topics(prefix);
  }

  /**
   * How to reach Kafka.
   *
   * @throws BadInputException if no broker is named and none was started here, or the file of
   *     settings cannot be read
   */
  public KafkaAccess access() {
    return access(bootstrapServers());
  }

  /** These options for a command that this one starts, with the servers that it found. */
  public List<String> arguments() {
    List<String> arguments =
        new ArrayList<>(List.of("--kafka", bootstrapServers(), "--prefix", prefix));
    if (kafkaConfig != null) {
      arguments.addAll(List.of("--kafka-config", kafkaConfig.toString()));
    }
    if (plugins != null) {
      arguments.addAll(List.of("--plugins", plugins.toString()));
    }
    return arguments;
  }

  /** How to reach Kafka at the given servers, with the other options applied. */
  public KafkaAccess access(String bootstrapServers) {
    for (String server : bootstrapServers.split(",", -1)) {
      if (!SERVER.matcher(server.strip()).matches()) {
        throw new BadInputException(
            "--kafka must be HOST:PORT, or several with commas between: '"
                + bootstrapServers
                + "'");
      }
    }
    return new KafkaAccess(
        bootstrapServers,
        topics(),
        kafkaConfig == null ? Map.of() : ClientSettings.read(kafkaConfig));
  }

  private String bootstrapServers() {
    if (kafka != null) {
      return kafka;
    }
    String named = environment.get(ENVIRONMENT);
    if (named != null) {
      return named;
    }
    try {
      return Files.readString(endpointFile()).strip();
    } catch (IOException e) {
      throw new BadInputException(
          "no Kafka is known: start one with 'sluice up', or name one with --kafka HOST:PORT or $"
              + ENVIRONMENT,
          e);
    }
  }
}
