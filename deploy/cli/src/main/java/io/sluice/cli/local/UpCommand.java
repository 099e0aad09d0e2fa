package io.sluice.cli.local;

import io.sluice.cli.error.BadInputException;
import io.sluice.cli.options.GlobalOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the service on this machine until it is stopped. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description =
        "Run the service on this machine until stopped: Kafka (unless --kafka names one) and the"
            + " jobs.")
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

  /** The command. */
  public UpCommand(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public void run() {
    PrintWriter out = command.commandLine().getOut();
    try (StopSignal signal = StopSignal.install(STOP);
        LocalService service =
            LocalService.start(settings(), event -> print(out, "sluice: " + event))) {
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

  /** Returns only by an exception: a part of the service has ended, or this thread shall stop. */
  private static void watch(LocalService service) throws InterruptedException {
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
