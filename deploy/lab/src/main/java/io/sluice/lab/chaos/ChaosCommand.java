package io.sluice.lab.chaos;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.config.Durations;
import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.chaos.history.Checker;
import io.sluice.lab.python.PythonClient;
import io.sluice.service.local.StopSignal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice chaos}. */
@Command(
    name = "chaos",
    description =
        "Prove this installation: start a cluster of processes, train on runs in Java and Python,"
            + " let everything go wrong that can, and hold every sequence that the trainers took"
            + " against the logs.")
public final class ChaosCommand extends CliCommand {
  private static final int OF_EACH_KIND = 3;
  private static final Duration STOP = Duration.ofSeconds(40);

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Decides the faults, their order and their victims. Default: 1.")
  private long seed = 1;

  @Option(
      names = "--faults",
      paramLabel = "N",
      description = "How many faults. Default: three of each kind.")
  private @Nullable Integer faults;

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      description =
          "Only these kinds, with commas between. Default: all that the brokers can suffer and that"
              + " are not beyond what is promised, of ${COMPLETION-CANDIDATES}",
      completionCandidates = Labels.class)
  private List<String> kinds = List.of();

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "An empty directory, or one that is not there yet. Default: one of its own under"
              + " chaos in $SLUICE_HOME.")
  private @Nullable Path stateDirectory;

  @Option(
      names = "--task-managers",
      paramLabel = "N",
      description = "Task managers of the cluster. Default: 2.")
  private int taskManagers = 2;

  @Option(
      names = "--brokers",
      paramLabel = "N",
      description = "Brokers of the cluster: 1, or 3 that keep three copies. Default: 1.")
  private int brokers = 1;

  @Option(
      names = "--aged",
      paramLabel = "N",
      description =
          "Batches that every run has behind it before anything goes wrong, all but one with as many"
              + " decisions. Default: 0.")
  private long aged;

  @Option(
      names = "--delivery-timeout",
      paramLabel = "TIME",
      description =
          "How long Kafka may stay away before what was sent is sent again; a stall lasts longer."
              + " Default: 4s.")
  private String deliveryTimeout = "4s";

  @Option(
      names = "--pace",
      paramLabel = "TIME",
      description = "Time between two batches of a trainer. Default: 50ms.")
  private String pace = "50ms";

  @Option(
      names = "--no-python",
      description = "Leave out the run on which a process with the client in Python trains.")
  private boolean withoutPython;

  @Mixin private JsonFile json = new JsonFile();

  /** Names of all kinds, for the help. */
  static final class Labels implements Iterable<String> {
    @Override
    public java.util.Iterator<String> iterator() {
      return FaultKind.labels().iterator();
    }
  }

  @Override
  public void run() {
    try (StopSignal signal = StopSignal.install(STOP)) {
      Path project = Path.of(System.getProperty("sluice.project", "."));
      Optional<Checker> checker = Checker.find(project, System.getProperty("sluice.python"));
      if (checker.isEmpty()) {
        print(List.of("sluice: the checker is left out: it needs " + Checker.NEEDS));
      }
      ChaosReport report =
          new Chaos(
                  settings(),
                  checker,
                  InstantSource.system(),
                  event -> print(List.of("sluice: " + event)))
              .run();
      print(report.lines());
      json.write(report);
      if (!report.holds()) {
        throw new CheckFailedException("runs have suffered under the faults of seed " + seed);
      }
    }
  }

  private ChaosSettings settings() {
    Set<FaultKind> chosen = wanted();
    return new ChaosSettings(
        seed,
        faults == null ? OF_EACH_KIND * chosen.size() : faults,
        chosen,
        directory(),
        brokers,
        taskManagers,
        Durations.require("--delivery-timeout", deliveryTimeout),
        Durations.require("--pace", pace),
        aged,
        python());
  }

  private Optional<PythonClient> python() {
    if (withoutPython) {
      return Optional.empty();
    }
    Optional<PythonClient> found = PythonClient.find();
    if (found.isEmpty()) {
      print(List.of("sluice: the trainer in Python is left out: " + PythonClient.NEEDS));
    }
    return found;
  }

  private Path directory() {
    return stateDirectory == null
        ? global().home().resolve("chaos").resolve(Long.toString(System.currentTimeMillis()))
        : stateDirectory;
  }

  private Set<FaultKind> wanted() {
    EnumSet<FaultKind> wanted = EnumSet.noneOf(FaultKind.class);
    kinds.forEach(label -> wanted.add(FaultKind.of(label)));
    return wanted.isEmpty()
        ? PossibleKinds.of(brokers, missing -> print(List.of("sluice: " + missing)))
        : wanted;
  }
}
