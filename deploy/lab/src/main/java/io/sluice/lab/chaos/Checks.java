package io.sluice.lab.chaos;

import io.sluice.client.run.RunInfo;
import io.sluice.lab.chaos.history.Checker;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the checker said, of runs that are about to be deleted, and of everything in the end. */
final class Checks {
  private final Optional<Checker> checker;
  private final KafkaAccess kafka;
  private final Path histories;
  private final Checker.Bounds bounds;
  private final List<String> lines = new ArrayList<>();
  private boolean broken;

  /**
   * @param histories the directory of their files
   */
  Checks(Optional<Checker> checker, KafkaAccess kafka, Path histories, Checker.Bounds bounds) {
    this.checker = checker;
    this.kafka = kafka;
    this.histories = histories;
    this.bounds = bounds;
  }

  /**
   * What came of it.
   *
   * @param ran whether there was a checker
   * @param lines that it printed
   */
  record Outcome(boolean ran, boolean broken, List<String> lines) {
    Outcome {
      lines = List.copyOf(lines);
    }

    static Outcome leftOut() {
      return new Outcome(false, false, List.of("left out: it needs " + Checker.NEEDS));
    }
  }

  /** Checks a run whose log will be gone. */
  void check(RunInfo run) {
    check(run.runId());
  }

  /** Checks all that is there. */
  void checkAll() {
    check((String) null);
  }

  private void check(@Nullable String run) {
    checker.ifPresent(
        found -> {
          Checker.Result result = found.check(kafka, histories, run, bounds);
          lines.addAll(result.lines());
          broken |= result.broken();
        });
  }

  Outcome outcome() {
    return checker.isEmpty() ? Outcome.leftOut() : new Outcome(true, broken, lines);
  }
}
