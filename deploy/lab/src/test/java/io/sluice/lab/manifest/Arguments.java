package io.sluice.lab.manifest;

import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.jobs.main.JobsMain;
import io.sluice.lab.Lab;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What the files give to the jobs' main class and to the command. */
final class Arguments {
  private Arguments() {}

  /** What is wrong with arguments of the jobs' main class. */
  static Optional<String> problemOfJob(List<String> arguments) {
    return problem(new CommandLine(JobsMain.class), arguments);
  }

  /** What is wrong with arguments of {@code sluice}. */
  static Optional<String> problemOfCommand(List<String> arguments) {
    return problem(
        Sluice.commandLine(new GlobalOptions(Map.of(), Path.of("")), Lab::addTo), arguments);
  }

  private static Optional<String> problem(CommandLine command, List<String> arguments) {
    try {
      return command.parseArgs(arguments.toArray(String[]::new)).hasSubcommand()
          ? Optional.empty()
          : Optional.of("names no command: " + arguments);
    } catch (ParameterException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** Of the jobs of an overlay. */
  static Stream<List<String>> ofJobs(String overlay) {
    return Manifests.of(overlay, "FlinkDeployment").stream()
        .map(deployment -> Manifests.texts(deployment.at("/spec/job/args")));
  }

  /** Of the trainers of an overlay. */
  static Stream<List<String>> ofTrainers(String overlay) {
    return Manifests.below(Manifests.of(overlay, "JobSet"))
        .filter(node -> node.path("name").asText().equals("trainer"))
        .map(container -> Manifests.texts(container.path("args")));
  }
}
