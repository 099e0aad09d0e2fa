package io.sluice.cli.up;

import io.sluice.cli.options.CliCommand;
import io.sluice.control.error.BadInputException;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.service.cluster.ClusterService;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import io.sluice.service.local.Service;
import io.sluice.service.local.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Runs the service on this machine until it is stopped. */
@Command(
    name = "up",
    description =
        "Run the service on this machine until stopped: Kafka (unless --kafka names one) and the"
            + " jobs. Started again on its directory, it goes on where it was.")
public final class UpCommand extends CliCommand {
  private static final long CHECK_SECONDS = 1;
  private static final Duration STOP = Duration.ofSeconds(40);

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Kafka's log and the checkpoints. Default: up in $SLUICE_HOME.")
  private @Nullable Path stateDirectory;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port of the Kafka that is started; 0 for any free one. Default: 9092.")
  private int port = 9092;

  @Option(
      names = "--prepare-threads",
      paramLabel = "N",
      description =
          "Threads with which a task that prepares a dataset makes tokens, from 1 to 1024; 0 for"
              + " one for each processor. What is prepared is the same with any number. Default:"
              + " 0.")
  private int prepareThreads;

  @Option(
      names = "--source-root",
      paramLabel = "DIR",
      description =
          "A folder, or s3://BUCKET/FOLDER, below which the service reads files that 'ingest"
              + " --by-reference' names; may be given several times. Whoever may write to a corpus"
              + " can have any file below it read. Default: none.")
  private List<String> sourceRoots = List.of();

  @Option(
      names = "--end-with-input",
      description =
          "Stop when standard input ends, as it does when the process that holds its other end has"
              + " ended.")
  private boolean endWithInput;

  @Option(
      names = "--cluster",
      description =
          "Run Kafka, a job manager and task managers as processes of their own, each started again"
              + " when it ends. Their pid files are in DIR/pids, their logs in DIR/logs.")
  private boolean cluster;

  @ArgGroup(heading = "%nWith --cluster:%n", exclusive = false)
  private final ClusterOptions clusterOptions = new ClusterOptions();

  @Override
  public void run() {
    try (StopSignal signal = StopSignal.install(STOP)) {
      try {
        if (endWithInput) {
          InputEnd.follow();
        }
        serve();
      } catch (InterruptedException stopped) {
        say("sluice: stopped");
      } catch (RuntimeException e) {
        // What was under way when the signal came ends with whatever an interrupt makes of it.
        if (!signal.isGiven()) {
          throw e;
        }
        say("sluice: stopped");
      }
    }
  }

  private void serve() throws InterruptedException {
    try (Service service = start(event -> say("sluice: " + event))) {
      writeEndpoint(service.access().bootstrapServers());
      try {
        say("sluice: logs in " + logs() + ", Flink's page on " + service.flinkRest());
        say("sluice: ready; stop with Ctrl-C");
        watch(service);
      } finally {
        removeEndpoint();
      }
    }
  }

  private Path logs() {
    return cluster
        ? settings().stateDirectory().resolve("logs")
        : global().home().resolve("logs").resolve("sluice.log");
  }

  private Service start(Consumer<String> events) {
    requireOneKafka();
    if (cluster) {
      return ClusterService.start(clusterOptions.settings(settings()), events);
    }
    List<String> idle = ClusterOptions.given(spec());
    if (!idle.isEmpty()) {
      throw misused(String.join(", ", idle) + " must stand with --cluster");
    }
    return LocalService.start(settings(), events);
  }

  /** Refuses options that would be without effect: those of a Kafka that is not the one used. */
  private void requireOneKafka() {
    if (!global().namesKafka()) {
      if (global().configuresKafka()) {
        throw misused(
            "--kafka-config must stand with --kafka: the Kafka that is started needs none");
      }
      return;
    }
    ParseResult given = spec().commandLine().getParseResult();
    List<String> idle =
        Stream.of("--port", "--broker-memory").filter(given::hasMatchedOption).toList();
    if (!idle.isEmpty()) {
      throw misused(
          String.join(", ", idle)
              + " is for a Kafka that is started here: --kafka, $SLUICE_KAFKA or a context names"
              + " another");
    }
  }

  /** Returns only by an exception: a part of the service has ended, or this thread shall stop. */
  private static void watch(Service service) throws InterruptedException {
    while (true) {
      TimeUnit.SECONDS.sleep(CHECK_SECONDS);
      service.requireRunning();
    }
  }

  private LocalSettings settings() {
    Path directory = stateDirectory == null ? global().home().resolve("up") : stateDirectory;
    LocalSettings settings =
        LocalSettings.in(directory)
            .withPort(port)
            .withTopics(global().topics())
            .withPrepareThreads(prepareThreads)
            .withSourceRoots(SourceRoots.named(sourceRoots));
    return global().namesKafka() ? settings.withKafka(access()) : settings;
  }

  private void writeEndpoint(String bootstrapServers) {
    try {
      Files.createDirectories(global().endpointFile().getParent());
      Files.writeString(global().endpointFile(), bootstrapServers + "\n");
    } catch (IOException e) {
      throw new BadInputException("cannot write " + global().endpointFile() + ": " + e, e);
    }
  }

  private void removeEndpoint() {
    try {
      Files.deleteIfExists(global().endpointFile());
    } catch (IOException e) {
      err().println("sluice: cannot remove " + global().endpointFile());
      err().flush();
    }
  }

  private void say(String line) {
    print(List.of(line));
  }
}
