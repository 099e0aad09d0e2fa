package io.sluice.cli.run;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunPast;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.wire.RunSpecs;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.decide.BatchSnapshots.Past;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice run fork}. */
@Command(
    name = "fork",
    description = {
      "Start a new run that goes on from the end of a batch of another, with its state as of then.",
      "Its stream, log and trainers are its own. With a file, its settings are the file's; another"
          + " policy starts from the weights in force."
    })
final class ForkCommand extends RunChangeCommand {
  @Option(
      names = "--at-batch",
      required = true,
      paramLabel = "B",
      description = "A granted batch of the run; the fork's first batch is the next.")
  private long batch;

  @Option(names = "--as", required = true, paramLabel = "NAME", description = "The fork's name.")
  private String name = "";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "The fork's settings, in YAML. Default: those of the run at the batch.")
  private @Nullable Path file;

  @Override
  public void run() {
    requireName();
    RunPast parent = RunPast.read(access(), hand().requireStarted(run), batch, batch);
    RunApplication application = new RunApplication(access(), RunAdmin.commands(access()));
    try {
      Past then = parent.batches().asOf(batch);
      RunSpec base =
          RunSpec.newBuilder(parent.fold().specAt(then.settingsSerial())).setRun(name).build();
      RunSpec own = file == null ? base : application.fork(base, file, out()::println);
      Past start = parent.batches().forked(batch, RunSpecs.settings(own));
      RunOrigin origin =
          new RunOrigin(parent.fold().runId(), start.timeline(), Snapshots.write(start.snapshot()));
      out().println(application.start(own, origin, Duration.ofSeconds(timeout)));
    } catch (IllegalArgumentException e) {
      throw new BadInputException("fork of " + run + ": " + e.getMessage(), e);
    }
  }

  private void requireName() {
    Topics.requireName("--as", name);
    if (RunCatalog.read(access()).find(name).isPresent()) {
      throw new BadInputException("--as must be a new name: run '" + name + "' exists");
    }
  }
}
