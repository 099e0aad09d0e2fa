package io.sluice.cli.options;

import io.sluice.control.config.ClientSettings;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.reach.Reachability;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * Options that may stand before or after the name of any command. What they do not say the
 * environment says, then the current {@link Context}, then what {@code sluice up} has started. A
 * context has a password for its own brokers: one that is named by an option holds as a whole, and
 * one that is current is left out where brokers are named.
 */
public final class GlobalOptions {
  private static final String KAFKA = "SLUICE_KAFKA";
  private static final String PREFIX = "SLUICE_PREFIX";
  private static final String KAFKA_CONFIG = "SLUICE_KAFKA_CONFIG";
  private static final String PLUGINS = "SLUICE_PLUGINS";
  private static final String STANDARD_PREFIX = "sluice.";

  /** Where images of the cluster have their plugins. */
  private static final Path INSTALLED = Path.of("/opt/sluice/plugins");

  private final Environment environment;
  private final Path home;
  private String reached = "";

  @Option(
      names = "--kafka",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT[,…]",
      description =
          "Kafka's bootstrap servers. Default: $SLUICE_KAFKA, else the context's, else what 'sluice"
              + " up' started.")
  private @Nullable String kafka;

  @Option(
      names = "--prefix",
      scope = ScopeType.INHERIT,
      paramLabel = "PREFIX",
      description =
          "First part of every topic, group and transactional id; or RUNS:DATASETS, where the datasets"
              + " are under another prefix, which other runs share. Default: $SLUICE_PREFIX, else the"
              + " context's, else 'sluice.'")
  private @Nullable String prefix;

  @Option(
      names = "--kafka-config",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description =
          "Properties file with further settings of every Kafka client, such as security. Default:"
              + " $SLUICE_KAFKA_CONFIG, else the context's.")
  private @Nullable Path kafkaConfig;

  @Option(
      names = "--plugins",
      scope = ScopeType.INHERIT,
      paramLabel = "DIR",
      description =
          "Directory of jars with policies and metrics of your own, for this command and every"
              + " process that it starts. Default: $SLUICE_PLUGINS, else the context's, else"
              + " /opt/sluice/plugins if it exists.")
  private @Nullable Path plugins;

  @Option(
      names = "--context",
      scope = ScopeType.INHERIT,
      paramLabel = "NAME",
      description =
          "The context that gives --kafka, --prefix, --kafka-config and --plugins, whatever the"
              + " environment says; see 'sluice context'. Default: $SLUICE_CONTEXT, else the one in"
              + " use.")
  private @Nullable String context;

  @Option(
      names = "--no-create-topics",
      scope = ScopeType.INHERIT,
      description =
          "Make no topics: they are there, made by what 'sluice plan' prints, or the command is"
              + " refused.")
  private boolean noCreateTopics;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack trace of a failure.")
  private boolean debug;

  /** A setting, and what gave it, for messages. */
  private record Setting(String value, String by) {}

  /**
   * Options that fall back to the environment.
   *
   * @param home directory of everything that Sluice keeps on this machine
   */
  public GlobalOptions(Map<String, String> environment, Path home) {
    this.environment = new Environment(environment);
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

  /** Where contexts are kept. */
  public ContextFile contextFile() {
    return environment.contextFile();
  }

  /**
   * A context of what the options say themselves.
   *
   * @param before what holds where they say nothing; empty if the context is new
   * @throws BadInputException if it is new, and no brokers are given, or a file is not what it
   *     should be
   */
  public Context given(String name, Optional<Context> before) {
    if (kafkaConfig != null) {
      ClientSettings.read("--kafka-config", kafkaConfig);
    }
    if (plugins != null) {
      Plugins.require("--plugins", plugins);
    }
    String servers =
        Optional.ofNullable(kafka)
            .or(() -> before.map(Context::kafka))
            .orElseThrow(
                () ->
                    new BadInputException(
                        "--kafka must be given for a new context: '" + name + "'"));
    return new Context(
        name,
        servers,
        Optional.ofNullable(prefix).or(() -> before.flatMap(Context::prefix)),
        Optional.ofNullable(kafkaConfig)
            .map(GlobalOptions::absolute)
            .or(() -> before.flatMap(Context::kafkaConfig)),
        Optional.ofNullable(plugins)
            .map(GlobalOptions::absolute)
            .or(() -> before.flatMap(Context::plugins)));
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** The context that holds; empty for none. */
  public Optional<Context> context() {
    if (context != null) {
      return Optional.of(environment.context("--context", context));
    }
    return kafka != null || environment.variable(KAFKA).isPresent()
        ? Optional.empty()
        : environment.current();
  }

  private Optional<Setting> setting(
      String option,
      @Nullable Object given,
      String variable,
      Function<Context, Optional<?>> ofContext) {
    if (given != null) {
      return Optional.of(new Setting(given.toString(), option));
    }
    Optional<Setting> named = context == null ? variable(variable) : Optional.empty();
    return named.or(
        () ->
            context()
                .flatMap(
                    each ->
                        ofContext.apply(each).map(is -> new Setting(is.toString(), each.named()))));
  }

  private Optional<Setting> variable(String name) {
    return environment.variable(name).map(value -> new Setting(value, "$" + name));
  }

  private Optional<Setting> servers() {
    return setting("--kafka", kafka, KAFKA, each -> Optional.of(each.kafka()));
  }

  /** True if the user named a broker, by option, environment or context. */
  public boolean namesKafka() {
    return servers().isPresent();
  }

  /** True if the user gave a file of client settings, by option. */
  public boolean configuresKafka() {
    return kafkaConfig != null;
  }

  /**
   * Checks that the plugins, if there are any, are what they should be.
   *
   * @throws BadInputException naming the folder, or the jar
   */
  public void requirePlugins() {
    Optional<Setting> folder = pluginFolder();
    if (folder.isPresent()) {
      Plugins.require(folder.get().by(), Path.of(folder.get().value()));
    } else if (Files.isDirectory(INSTALLED)) {
      Plugins.require("the default of --plugins", INSTALLED);
    }
  }

  /** Jars are no password: they are the environment's where a context that is named has none. */
  private Optional<Setting> pluginFolder() {
    return setting("--plugins", plugins, PLUGINS, Context::plugins).or(() -> variable(PLUGINS));
  }

  /** Names of the topics. */
  public Topics topics() {
    return Topics.of(prefix());
  }

  private String prefix() {
    return namedPrefix().map(Setting::value).orElse(STANDARD_PREFIX);
  }

  private Optional<Setting> namedPrefix() {
    return setting("--prefix", prefix, PREFIX, Context::prefix);
  }

  /** Where the prefix comes from, and what helps where nothing is below it. */
  public String prefixAdvice() {
    return "the prefix is '"
        + prefix()
        + "', "
        + namedPrefix().map(named -> "given by " + named.by()).orElse("the default")
        + ": 'sluice doctor' says what is there, and 'sluice dataset apply' begins";
  }

  private Optional<Setting> clientSettings() {
    return setting("--kafka-config", kafkaConfig, KAFKA_CONFIG, Context::kafkaConfig);
  }

  /**
   * How to reach Kafka.
   *
   * @throws BadInputException if no broker is named and none was started here, or the file of
   *     settings cannot be read
   */
  public KafkaAccess access() {
    return new KafkaAccess(
        bootstrapServers(),
        topics(),
        clientSettings()
            .map(file -> ClientSettings.read(file.by(), Path.of(file.value())))
            .orElse(Map.of()),
        !noCreateTopics);
  }

  /**
   * The same, of servers of which one has taken a connection.
   *
   * @throws UnreachableException within 5 s, if none does
   */
  public KafkaAccess reachable() {
    KafkaAccess access = access();
    if (!access.bootstrapServers().equals(reached)) {
      Reachability.require(access, advice());
      reached = access.bootstrapServers();
    }
    return access;
  }

  private String advice() {
    String others = "name another with --kafka, $" + KAFKA + " or --context";
    return servers()
        .map(
            named ->
                "given by "
                    + named.by()
                    + ": start it there, let this machine through, or "
                    + others)
        .orElse(
            "started by 'sluice up', as "
                + endpointFile()
                + " says: start that again, or "
                + others);
  }

  /** These options for a command that this one starts, with the servers that it found. */
  public List<String> arguments() {
    List<String> arguments =
        new ArrayList<>(List.of("--kafka", bootstrapServers(), "--prefix", prefix()));
    if (context != null) {
      arguments.addAll(List.of("--context", context));
    }
    if (noCreateTopics) {
      arguments.add("--no-create-topics");
    }
    clientSettings().ifPresent(file -> arguments.addAll(List.of("--kafka-config", file.value())));
    pluginFolder().ifPresent(folder -> arguments.addAll(List.of("--plugins", folder.value())));
    return arguments;
  }

  private String bootstrapServers() {
    Optional<Setting> named = servers();
    if (named.isPresent()) {
      if (!KafkaServers.isList(named.get().value())) {
        throw new BadInputException(
            named.get().by() + " must be " + KafkaServers.FORM + ": '" + named.get().value() + "'");
      }
      return named.get().value();
    }
    try {
      return Files.readString(endpointFile()).strip();
    } catch (IOException e) {
      throw new BadInputException(
          "no Kafka is known: start one with 'sluice up', or name one with --kafka HOST:PORT, $"
              + KAFKA
              + " or --context",
          e);
    }
  }
}
