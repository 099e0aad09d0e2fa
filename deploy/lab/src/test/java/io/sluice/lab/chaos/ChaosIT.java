package io.sluice.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.chaos.fault.FaultReport;
import io.sluice.lab.chaos.history.Checker;
import io.sluice.lab.chaos.trainer.Journal;
import io.sluice.lab.chaos.trainer.Verdict;
import io.sluice.lab.python.PythonClient;
import io.sluice.schema.run.Delivery;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few faults of a seed; {@code sluice chaos} injects more of them, of every kind. */
class ChaosIT {
  private static final EnumSet<FaultKind> KINDS =
      EnumSet.of(
          FaultKind.KILL_TASK_MANAGER,
          FaultKind.KILL_TRAINER,
          FaultKind.RIVAL_PROPOSALS,
          FaultKind.CORRUPT_RECORDS,
          FaultKind.REPEATED_FEEDBACK,
          FaultKind.POISON,
          FaultKind.CUT_SEGMENT,
          FaultKind.REPLACED_SEGMENT,
          FaultKind.RESTORE_WITHOUT_STATE);

  private static final Path PROJECT = Path.of("").toAbsolutePath().resolve("../..");
  private static final @Nullable String PYTHON = System.getProperty("sluice.python");

  @TempDir private Path directory;

  @Test
  void noSequenceIsLostRepeatedOrMixedOtherwise() {
    List<String> events = new CopyOnWriteArrayList<>();
    ChaosSettings settings =
        new ChaosSettings(
            1,
            KINDS.size(),
            KINDS,
            directory,
            1,
            1,
            Duration.ofSeconds(4),
            Duration.ofMillis(50),
            0,
            PythonClient.find(PROJECT, PYTHON));
    Optional<Checker> checker = Checker.find(PROJECT, PYTHON);
    ChaosReport report = new Chaos(settings, checker, InstantSource.system(), events::add).run();
    assertThat(report.checker().broken()).as(report.checker().toString()).isFalse();
    assertThat(report.checker().ran()).isEqualTo(checker.isPresent());
    assertThat(report.faults())
        .extracting(FaultReport::fault)
        .containsExactlyInAnyOrderElementsOf(KINDS.stream().map(FaultKind::label).toList());
    assertThat(report.runs()).extracting(Verdict::policy).contains("static", "odm");
    assertThat(report.runs().stream().anyMatch(run -> run.runId().startsWith("snake.")))
        .as("trained on with Python")
        .isEqualTo(settings.python().isPresent());
    assertThat(report.runs())
        .allSatisfy(
            run -> {
              assertThat(run.holds()).as(run.toString()).isTrue();
              assertThat(run.batches()).isPositive();
            });
    assertThat(report.runs())
        .filteredOn(run -> run.delivery().equals(Delivery.DERIVED))
        .extracting(Verdict::policy)
        .contains("static", "odm");
    assertThat(report.runs())
        .allSatisfy(run -> assertThat(run.logged()).isEqualTo(run.batches()))
        .anySatisfy(run -> assertThat(run.shared()).isPositive())
        .anySatisfy(run -> assertThat(run.refused()).isPositive());
    assertThat(events).anyMatch(event -> event.matches("trainer-.* runs again .*"));
    assertThat(report.runs())
        .filteredOn(run -> run.policy().equals("odm"))
        .allSatisfy(run -> assertThat(mixtures(run)).isEqualTo(run.batches()));
  }

  /** Mixtures under which the run's trainer took batches. */
  private long mixtures(Verdict run) {
    return new Journal(directory.resolve("chaos").resolve(run.runId() + ".journal"))
        .read().stream()
            .filter(Journal.Accepted.class::isInstance)
            .map(line -> ((Journal.Accepted) line).version())
            .distinct()
            .count();
  }
}
