package io.sluice.cli.up;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.control.error.BadInputException;
import io.sluice.service.cluster.ClusterService;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import io.sluice.service.local.Service;
import io.sluice.service.local.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the service on this machine until it is stopped. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description =
        "Run the service on this machine until stopped: Kafka (unless --kafka names one) and the"
            + " jobs. Started again on its directory, it goes on where it was.")
public final class UpCommand implements Runnable {
  private static final long CHECK_SECONDS = 1;
  private static final Duration STOP = Duration.ofSeconds(40);

  private final GlobalOptions global;

  @Spec private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Kafka's log and the checkpoints. Default: .sluice/up next to the launcher.")
  private @Nullable Path stateDirectory;

  @Option(
      names = "--port",
      defaultValue = "9092",
      paramLabel = "PORT",
      description = "Port of the Kafka that is started; 0 for any free one. Default: 9092.")
  private int port;

  @Option(
      names = "--cluster",
      description =
          "Run Kafka, a job manager and task managers as processes of their own, each started again"
              + " when it ends. Their pid files are in DIR/pids, their logs in DIR/logs.")
  private boolean cluster;

  @ArgGroup(heading = "%nWith --cluster:%n", exclusive = false)
  private final ClusterOptions clusterOptions = new ClusterOptions();

  /** The command. */
  public UpCommand(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public void run() {
    PrintWriter out = command.commandLine().getOut();
    try (StopSignal signal = StopSignal.install(STOP);
        Service service = start(event -> print(out, "sluice: " + event))) {
      writeEndpoint(service.access().bootstrapServers());
      try {
        print(out, "sluice: ready; stop with Ctrl-C");
        watch(service);
      } finally {
        removeEndpoint();
      }
    } catch (InterruptedException stopped) {
      print(out, "sluice: stopped");
    }
  }

  private Service start(Consumer<String> events) {
    requireOneKafka();
    if (cluster) {
      return ClusterService.start(clusterOptions.settings(settings()), events);
    }
    List<String> idle = clusterOptions.given(command);
    if (!idle.isEmpty()) {
      throw new ParameterException(
          command.commandLine(), String.join(", ", idle) + " must stand with --cluster");
    }
    return LocalService.start(settings(), events);
  }

  /** Refuses options that would be without effect: those of a Kafka that is not the one used. */
  private void requireOneKafka() {
    if (!global.namesKafka()) {
      if (global.configuresKafka()) {
        throw new ParameterException(
            command.commandLine(),
            "--kafka-config must stand with --kafka: the Kafka that is started needs none");
      }
      return;
    }
    List<String> idle = new ArrayList<>(clusterOptions.ofBroker(command));
    if (command.commandLine().getParseResult().hasMatchedOption("--port")) {
      idle.add(0, "--port");
    }
    if (!idle.isEmpty()) {
      throw new ParameterException(
          command.commandLine(),
          String.join(", ", idle)
              + " is for a Kafka that is started here: --kafka or $SLUICE_KAFKA names another");
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
    Path directory = stateDirectory == null ? global.home().resolve("up") : stateDirectory;
    LocalSettings settings = LocalSettings.in(directory).withPort(port).withTopics(global.topics());
    return global.namesKafka() ? settings.withKafka(global.access()) : settings;
  }

  private void writeEndpoint(String bootstrapServers) {
    try {
      Files.createDirectories(global.endpointFile().getParent());
      Files.writeString(global.endpointFile(), bootstrapServers + "\n");
    } catch (IOException e) {
      throw new BadInputException("cannot write " + global.endpointFile() + ": " + e, e);
    }
  }

  private void removeEndpoint() {
    try {
      Files.deleteIfExists(global.endpointFile());
    } catch (IOException e) {
      print(command.commandLine().getErr(), "sluice: cannot remove " + global.endpointFile());
    }
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
