package io.sluice.cli.run;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.Watch;
import io.sluice.control.config.Durations;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunLogs;
import io.sluice.control.runs.RunCatalog;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.run.Delivery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice run show}. */
@Command(name = "show", description = "Show where a run stands and what it waits for.")
final class ShowCommand extends CliCommand {
  private static final Duration SHORTEST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofHours(1);

  @Parameters(paramLabel = "RUN", description = "Its name.")
  private String name = "";

  @Option(
      names = "--watch",
      description =
          "Show it again and again, until Ctrl-C: on a terminal in place, else one block after"
              + " another.")
  private boolean watch;

  @Option(
      names = "--every",
      defaultValue = "2s",
      paramLabel = "TIME",
      description = "With --watch: how often, from 200ms to 1h. Default: ${DEFAULT-VALUE}.")
  private String every = "2s";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Duration interval = Durations.require("--every", every);
    if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
      throw new BadInputException("--every must be from 200ms to 1h: '" + every + "'");
    }
    if (!watch && spec().commandLine().getParseResult().hasMatchedOption("--every")) {
      throw misused("--every must stand with --watch");
    }
    KafkaAccess access = access();
    if (!watch) {
      print(look(access, InstantSource.system()));
      return;
    }
    new Watch(
            out(),
            System.console() != null,
            interval,
            InstantSource.system(),
            time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()))
        .run(() -> lookAgain(access));
  }

  /** Whoever watches sees that the brokers are away, and that they are back. */
  private List<String> lookAgain(KafkaAccess access) {
    try {
      return look(access, InstantSource.system());
    } catch (KafkaUnreachableException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  private List<String> look(KafkaAccess access, InstantSource clock) {
    RunCatalog catalog = RunCatalog.read(access);
    RunCatalog.Entry entry = catalog.require(name).folded(RunLogs.of(access));
    Optional<TrainedData> trained = TrainedData.read(access, entry, clock);
    Optional<String> sealing = sealing(catalog, entry);
    json.write(RunReport.of(entry, trained, sealing));
    RunView.Prepared prepared =
        entry
            .fold()
            .map(fold -> RunView.Prepared.read(access, fold.spec().getDataset()))
            .orElse(RunView.Prepared.NOTHING);
    List<String> lines = new ArrayList<>(RunView.show(entry, prepared, trained, clock.instant()));
    sealing.ifPresent(why -> lines.add("  blocks of its dataset are not sealed: " + why));
    return lines;
  }

  /** Why a run that reads a dataset's store gets nothing new from there. */
  private static Optional<String> sealing(RunCatalog catalog, RunCatalog.Entry entry) {
    return entry
        .fold()
        .filter(fold -> Delivery.isDerived(fold.spec()))
        .flatMap(fold -> catalog.sealing(fold.spec().getDataset()));
  }
}
