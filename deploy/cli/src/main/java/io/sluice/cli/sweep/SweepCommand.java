package io.sluice.cli.sweep;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.WritableFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice sweep}. */
@Command(
    name = "sweep",
    description =
        "Train runs that differ in what a file varies, some seeds of each, and set their held-out"
            + " losses side by side. What has ended is kept: the same command goes on where it was.")
public final class SweepCommand extends CliCommand {
  private static final int MOST_WORKERS = 256;
  private static final int MOST_SECONDS = 86_400;

  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "What to vary, in YAML.")
  private Path file = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where checkpoints, what trainers say, and what came of each run are kept. Default:"
              + " sweep-NAME.")
  private @Nullable Path out;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Runs that are trained at a time, 1 to 256. Default: ${DEFAULT-VALUE}.")
  private int workers = 1;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long a run may take to start, 1 to 86400. Default: ${DEFAULT-VALUE}.")
  private int timeout = 120;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Draw the losses of all arms as SVG.")
  private @Nullable Path svg;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    requireRange("--workers", workers, MOST_WORKERS);
    requireRange("--timeout", timeout, MOST_SECONDS);
    KafkaAccess access = access();
    RunApplication application = new RunApplication(access, RunAdmin.commands(access));
    Sweep sweep = SweepFile.read(file, dataset -> application.dataset(dataset).getDomains());
    Path directory = directory(sweep);
    try (SweepRunner runner =
        new SweepRunner(
            sweep, application, global().arguments(), directory, Duration.ofSeconds(timeout))) {
      SweepTasks tasks =
          new SweepTasks(sweep, runner, new KeptRuns(directory), this::say, System::nanoTime);
      tasks.left().forEach(arm -> requireTaken(runner, arm));
      SweepReport report = tasks.run(workers);
      if (svg != null) {
        report.figure().write(svg);
      }
      json.write(report.json());
      print(report.lines());
      if (!report.failures().isEmpty()) {
        throw new CheckFailedException(report.failures().size() + " runs of the sweep failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted; the same command goes on where it was", e);
    }
  }

  /** What cannot be a run of its own is said before the first arm is trained. */
  private void requireTaken(SweepRunner runner, SweepArm arm) {
    try {
      runner.resolve(arm);
    } catch (BadInputException e) {
      throw new BadInputException(file + ", arm " + arm.name() + ": " + e.getMessage(), e);
    }
  }

  private Path directory(Sweep sweep) {
    Path directory = (out == null ? Path.of("sweep-" + sweep.name()) : out).toAbsolutePath();
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new BadInputException("--out must be a directory that can be made: " + directory, e);
    }
  }

  private static void requireRange(String key, int value, int most) {
    if (value < 1 || value > most) {
      throw new BadInputException(key + " must be in [1, " + most + "]: " + value);
    }
  }

  private synchronized void say(String line) {
    err().println(line);
    err().flush();
  }
}
