package io.sluice.jobs.main;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * What {@code flink run} starts: {@code mix}, {@code prepare} or {@code refine}. Flink's client
 * tells a failure from an exception, and no process is ended here: it may be a job manager's.
 */
@Command(
    name = "sluice-jobs",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(mix | prepare | refine)",
    description = "Sluice's jobs on a Flink cluster: flink run sluice-jobs-VERSION-flink.jar JOB …",
    subcommands = {MixCommand.class, PrepareCommand.class, RefineCommand.class})
public final class JobsMain {
  private JobsMain() {}

  /**
   * Submits a job to the cluster that the environment names.
   *
   * @throws JobRefusedException if the arguments or the cluster's configuration do not do
   */
  public static void main(String[] arguments) throws Exception {
    run(new PrintWriter(System.out, true, StandardCharsets.UTF_8), arguments);
  }

  /** The same, with help printed elsewhere. */
  static void run(PrintWriter out, String... arguments) throws Exception {
    CommandLine commands = new CommandLine(new JobsMain()).setOut(out);
    ParseResult parsed;
    try {
      parsed = commands.parseArgs(arguments);
    } catch (ParameterException e) {
      String help = e.getCommandLine().getCommandSpec().qualifiedName();
      throw new JobRefusedException(e.getMessage() + "; see '" + help + " --help'");
    }
    if (CommandLine.executeHelpRequest(parsed) != null) {
      return;
    }
    while (parsed.hasSubcommand()) {
      parsed = parsed.subcommand();
    }
    if (parsed.commandSpec().userObject() instanceof JobCommand job) {
      job.submit(List.of(arguments));
    } else {
      commands.usage(out);
    }
  }
}
