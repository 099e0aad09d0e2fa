package io.sluice.lab.chaos;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.options.WritableFile;
import io.sluice.cli.report.JsonReport;
import io.sluice.control.config.Durations;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.service.local.StopSignal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice chaos}. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    description =
        "Prove this installation: start a cluster of processes, train on two runs, let everything"
            + " go wrong that can, and hold every sequence that the trainers took against the"
            + " logs.")
public final class ChaosCommand implements Callable<Integer> {
  private static final Duration STOP = Duration.ofSeconds(40);

  private final GlobalOptions global;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "S",
      description = "Decides the faults, their order and their victims. Default: 1.")
  private long seed;

  @Option(
      names = "--faults",
      defaultValue = "54",
      paramLabel = "N",
      description = "How many faults. Default: 54, three of each kind.")
  private int faults;

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      description =
          "Only these kinds, with commas between. Default: all of ${COMPLETION-CANDIDATES}",
      completionCandidates = Labels.class)
  private List<String> kinds = List.of();

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "An empty directory, or one that is not there yet. Default: one of its own under"
              + " .sluice/chaos next to the launcher.")
  private @Nullable Path stateDirectory;

  @Option(
      names = "--task-managers",
      defaultValue = "2",
      paramLabel = "N",
      description = "Task managers of the cluster. Default: 2.")
  private int taskManagers;

  @Option(
      names = "--delivery-timeout",
      defaultValue = "4s",
      paramLabel = "TIME",
      description =
          "How long Kafka may stay away before the mixing restarts; a stall lasts longer."
              + " Default: 4s.")
  private String deliveryTimeout = "4s";

  @Option(
      names = "--pace",
      defaultValue = "50ms",
      paramLabel = "TIME",
      description = "Time between two batches of a trainer. Default: 50ms.")
  private String pace = "50ms";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write the report as JSON.")
  private @Nullable Path json;

  /** Names of all kinds, for the help. */
  static final class Labels implements Iterable<String> {
    @Override
    public java.util.Iterator<String> iterator() {
      return Arrays.stream(FaultKind.values()).map(FaultKind::label).iterator();
    }
  }

  /** The command with its global options. */
  public ChaosCommand(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (StopSignal signal = StopSignal.install(STOP)) {
      ChaosReport report =
          new Chaos(settings(), InstantSource.system(), event -> print(out, "sluice: " + event))
              .run();
      report.lines().forEach(line -> print(out, line));
      if (json != null) {
        JsonReport.write(json, report);
      }
      if (!report.holds()) {
        throw new CheckFailedException("runs have suffered under the faults of seed " + seed);
      }
    }
    return 0;
  }

  private ChaosSettings settings() {
    return new ChaosSettings(
        seed,
        faults,
        wanted(),
        directory(),
        taskManagers,
        Durations.require("--delivery-timeout", deliveryTimeout),
        Durations.require("--pace", pace));
  }

  private Path directory() {
    return stateDirectory == null
        ? global.home().resolve("chaos").resolve(Long.toString(System.currentTimeMillis()))
        : stateDirectory;
  }

  private Set<FaultKind> wanted() {
    EnumSet<FaultKind> wanted = EnumSet.noneOf(FaultKind.class);
    for (String label : kinds) {
      wanted.add(
          Arrays.stream(FaultKind.values())
              .filter(kind -> kind.label().equals(label))
              .findFirst()
              .orElseThrow(
                  () ->
                      new BadInputException(
                          "--kinds must be of "
                              + Arrays.stream(FaultKind.values()).map(FaultKind::label).toList()
                              + ": '"
                              + label
                              + "'")));
    }
    return wanted.isEmpty() ? EnumSet.allOf(FaultKind.class) : wanted;
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
