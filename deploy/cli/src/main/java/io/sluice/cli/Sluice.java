package io.sluice.cli;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.control.error.BadInputException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The {@code sluice} command. */
@Command(
    name = "sluice",
    mixinStandardHelpOptions = true,
    versionProvider = Sluice.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description =
        "A streaming data loader for LLM pre-training that re-weights its domains online.",
    footer = {
      "",
      "Exit codes: 0 done; 1 what was checked does not hold; 2 bad usage or input; 3 Kafka or a job"
          + " is unreachable; 70 an error of Sluice itself."
    })
public final class Sluice implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    main(args, (root, global) -> {});
  }

  /** The same with further commands. */
  public static void main(String[] args, BiConsumer<CommandLine, GlobalOptions> further) {
    Path home = Path.of(System.getProperty("sluice.home", ".sluice"));
    System.exit(commandLine(new GlobalOptions(System.getenv(), home), further).execute(args));
  }

  /** The command with the subcommands of this module. */
  static CommandLine commandLine(GlobalOptions global) {
    return commandLine(global, (root, options) -> {});
  }

  /**
   * The command with all its subcommands.
   *
   * @param further adds those that this module does not know
   */
  public static CommandLine commandLine(
      GlobalOptions global, BiConsumer<CommandLine, GlobalOptions> further) {
    CommandLine root = new CommandLine(new Sluice());
    root.addMixin("global", global);
    Commands.addTo(root, global);
    further.accept(root, global);
    Failures failures = new Failures(global);
    root.setExecutionStrategy(parsed -> execute(parsed, global));
    root.setExecutionExceptionHandler(failures);
    root.setParameterExceptionHandler(failures);
    root.setCaseInsensitiveEnumValuesAllowed(true);
    root.setUsageHelpAutoWidth(true);
    return root;
  }

  private static int execute(ParseResult parsed, GlobalOptions global) {
    List<CommandLine> asked = parsed.asCommandLineList();
    if (asked.stream().noneMatch(CommandLine::isUsageHelpRequested)) {
      try {
        global.requirePlugins();
      } catch (BadInputException e) {
        CommandLine last = asked.get(asked.size() - 1);
        throw new ParameterException(last, String.valueOf(e.getMessage()), e);
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Version of the jar; 'development' when run from classes. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Sluice.class.getPackage().getImplementationVersion();
      return new String[] {"sluice " + (version == null ? "development" : version)};
    }
  }
}
