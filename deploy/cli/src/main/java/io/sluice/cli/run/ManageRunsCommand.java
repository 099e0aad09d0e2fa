package io.sluice.cli.run;

import io.sluice.cli.options.CommandGroup;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.run.course.CompareCommand;
import io.sluice.cli.run.course.PlotCommand;
import io.sluice.cli.storage.delete.DeleteRun;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunCatalog;
import io.sluice.schema.RunSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice run} and its subcommands. */
@Command(
    name = "run",
    description = "Runs: a training's mixture, and who decides it.",
    subcommands = {
      ApplyCommand.class,
      ShowCommand.class,
      DiffCommand.class,
      ExportCommand.class,
      WeightsCommand.class,
      PlotCommand.class,
      CompareCommand.class,
      PolicyCommand.class,
      LimitCommand.class,
      DomainCommand.class,
      RegroupCommand.class,
      RewindCommand.class,
      ForkCommand.class,
      DrainCommand.class,
      DeleteRun.class,
      FilterCommand.class
    })
public final class ManageRunsCommand extends CommandGroup {
  private static final int ANSWER_SECONDS = 30;
  private static final int ENDED_LISTED = 20;

  @Command(
      name = "validate",
      mixinStandardHelpOptions = true,
      description = "Check a run's file against its dataset and print what it comes to, as a file.")
  void validate(
      @Option(
              names = {"-f", "--file"},
              required = true,
              paramLabel = "FILE",
              description = "The run, in YAML.")
          Path file,
      @Mixin JsonFile json) {
    RunApplication application = new RunApplication(access(), RunAdmin.commands(access()));
    RunSpec spec = application.resolve(application.read(file), Duration.ZERO, out()::println);
    json.write(ExportCommand.settings(spec));
    out().print(ExportCommand.yaml(spec));
    out().flush();
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List the runs: those that go on, and the 20 that ended last.")
  void list(
      @Option(names = "--all", description = "Also those that ended before.") boolean all,
      @Mixin JsonFile json) {
    RunCatalog catalog = RunCatalog.read(access());
    Set<String> left = all ? Set.of() : catalog.endedBefore(ENDED_LISTED);
    List<RunCatalog.Entry> entries = catalog.entriesWithout(left);
    json.write(entries.stream().map(RunReport::of).toList());
    out().printf("%-24s %-10s %10s %10s  %s%n", "RUN", "PHASE", "GRANTED", "TRAINED", "WAITS FOR");
    for (RunCatalog.Entry entry : entries) {
      out()
          .printf(
              "%-24s %-10s %10s %10s  %s%n",
              entry.name(),
              entry.phase(),
              entry.granted().map(Object::toString).orElse("-"),
              entry.status().map(s -> "" + s.getProgress()).orElse("-"),
              entry.waiting());
    }
    if (!left.isEmpty()) {
      out().println(left.size() + " more ended before: --all lists them");
    }
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Grant no further batches until the run is resumed.")
  void pause(
      @Parameters(paramLabel = "RUN", description = "Its name.") String name,
      @Mixin JsonFile json) {
    tell(change(name, "paused", "paused by hand"), json);
  }

  @Command(name = "resume", mixinStandardHelpOptions = true, description = "Grant batches again.")
  void resume(
      @Parameters(paramLabel = "RUN", description = "Its name.") String name,
      @Mixin JsonFile json) {
    tell(change(name, "running", "resumed by hand"), json);
  }

  @Command(
      name = "stop",
      mixinStandardHelpOptions = true,
      description = "End the run after the batches that are granted.")
  void stop(
      @Parameters(paramLabel = "RUN", description = "Its name.") String name,
      @Mixin JsonFile json) {
    tell(change(name, "stopped", "stopped by hand"), json);
  }

  /** A run, and the state that it was brought to. */
  private record Changed(String run, String runId, String state) {}

  private Changed change(String name, String state, String reason) {
    RunCatalog.Entry entry = RunCatalog.read(access()).require(name);
    RunAdmin.of(access(), ANSWER_SECONDS).change(entry, state, reason);
    return new Changed(name, entry.runId(), state);
  }

  private void tell(Changed changed, JsonFile json) {
    json.write(changed);
    out().println("run " + changed.run() + " is " + changed.state());
    out().flush();
  }
}
