package io.sluice.cli.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.report.JsonReport;
import io.sluice.control.history.SupplyHistory;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.runs.RunCommands;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Supply;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice run} and its subcommands. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Runs: a training's mixture, and who decides it.")
public final class RunCommand implements Runnable {
  private static final int ANSWER_SECONDS = 30;

  private final GlobalOptions global;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The command with its global options. */
  public RunCommand(GlobalOptions global) {
    this.global = global;
  }

  /** The command with all its subcommands. */
  public static CommandLine commandLine(GlobalOptions global) {
    return new CommandLine(new RunCommand(global))
        .addSubcommand(new DiffCommand(global))
        .addSubcommand(new ExportCommand(global))
        .addSubcommand(new WeightsCommand(global))
        .addSubcommand(new PolicyCommand(global))
        .addSubcommand(new DomainCommand(global))
        .addSubcommand(new RewindCommand(global))
        .addSubcommand(new ForkCommand(global))
        .addSubcommand(new DrainCommand(global));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is missing: " + String.join(", ", spec.subcommands().keySet()));
  }

  @Command(
      name = "apply",
      mixinStandardHelpOptions = true,
      description = "Start the run of a file. Applying the same file again changes nothing.")
  void apply(
      @Option(
              names = {"-f", "--file"},
              required = true,
              paramLabel = "FILE",
              description = "The run, in YAML.")
          Path file,
      @Option(
              names = "--timeout",
              defaultValue = "30",
              paramLabel = "SECONDS",
              description = "How long MixJob may take to start it. Default: ${DEFAULT-VALUE}.")
          int timeout) {
    RunApplication application = application();
    out()
        .println(
            application.apply(application.read(file), Duration.ofSeconds(timeout), out()::println));
  }

  @Command(
      name = "validate",
      mixinStandardHelpOptions = true,
      description = "Check a run's file against its dataset and print what it comes to.")
  void validate(
      @Option(
              names = {"-f", "--file"},
              required = true,
              paramLabel = "FILE",
              description = "The run, in YAML.")
          Path file) {
    RunApplication application = application();
    out().println(application.resolve(application.read(file), out()::println));
  }

  @Command(name = "list", mixinStandardHelpOptions = true, description = "List the runs.")
  void list(
      @Option(names = "--json", paramLabel = "FILE", description = "Write the list as JSON.")
          @Nullable Path json) {
    RunCatalog catalog = RunCatalog.read(access());
    if (json != null) {
      ArrayNode report = new ObjectMapper().createArrayNode();
      catalog.entries().forEach(entry -> report.add(RunReport.of(entry)));
      JsonReport.write(json, report);
    }
    out().printf("%-24s %-10s %10s %10s  %s%n", "RUN", "PHASE", "GRANTED", "TRAINED", "WAITS FOR");
    for (RunCatalog.Entry entry : catalog.entries()) {
      out()
          .printf(
              "%-24s %-10s %10s %10s  %s%n",
              entry.name(),
              entry.phase(),
              entry.history().map(h -> "" + h.state().position().granted()).orElse("-"),
              entry.status().map(s -> "" + s.getProgress()).orElse("-"),
              entry.waiting());
    }
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show where a run stands and what it waits for.")
  void show(
      @Parameters(paramLabel = "RUN", description = "Its name.") String name,
      @Option(names = "--json", paramLabel = "FILE", description = "Write it as JSON.")
          @Nullable Path json) {
    RunCatalog.Entry entry = RunCatalog.read(access()).require(name);
    Optional<TrainedData> trained = TrainedData.read(access(), entry, InstantSource.system());
    if (json != null) {
      JsonReport.write(json, RunReport.of(entry, trained));
    }
    Map<String, Supply> supply =
        entry
            .history()
            .map(history -> SupplyHistory.newest(access(), history.spec().getDataset()))
            .orElse(Map.of());
    RunView.show(entry, supply, trained, Instant.now()).forEach(out()::println);
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Grant no further batches until the run is resumed.")
  void pause(@Parameters(paramLabel = "RUN", description = "Its name.") String name) {
    change(name, "paused", "paused by hand");
  }

  @Command(name = "resume", mixinStandardHelpOptions = true, description = "Grant batches again.")
  void resume(@Parameters(paramLabel = "RUN", description = "Its name.") String name) {
    change(name, "running", "resumed by hand");
  }

  @Command(
      name = "stop",
      mixinStandardHelpOptions = true,
      description = "End the run after the batches that are granted.")
  void stop(@Parameters(paramLabel = "RUN", description = "Its name.") String name) {
    change(name, "stopped", "stopped by hand");
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "End the run at once and delete its stream and feedback.")
  void delete(@Parameters(paramLabel = "RUN", description = "Its name.") String name) {
    change(name, "deleted", "deleted by hand");
    try (TopicAdmin admin = new TopicAdmin(access())) {
      admin.deleteRun(name);
    }
  }

  private void change(String name, String state, String reason) {
    RunCatalog.Entry entry = RunCatalog.read(access()).require(name);
    RunAdmin.of(access(), ANSWER_SECONDS).change(entry, state, reason);
    out().println("run " + name + " is " + state);
  }

  private RunApplication application() {
    return new RunApplication(access(), commands());
  }

  private RunCommands commands() {
    return RunAdmin.commands(access());
  }

  private KafkaAccess access() {
    return global.access();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
