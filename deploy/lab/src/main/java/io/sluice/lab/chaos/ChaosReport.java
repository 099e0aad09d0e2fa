package io.sluice.lab.chaos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.cli.plot.TextTable;
import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.chaos.fault.FaultReport;
import io.sluice.lab.chaos.trainer.Verdict;
import io.sluice.schema.run.Delivery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the faults of a seed did.
 *
 * @param aged batches that the runs had behind them before the first fault
 * @param faults in their order
 * @param goals what the faults were meant to keep to
 * @param runs all that were trained on, also those that were deleted or failed on purpose
 * @param checker what the one that shares nothing with this program found
 */
record ChaosReport(
    long seed,
    long aged,
    List<FaultReport> faults,
    List<Goal> goals,
    List<Verdict> runs,
    Checks.Outcome checker) {
  private static final Map<FaultKind, String> KILLED =
      new EnumMap<>(
          Map.of(
              FaultKind.KILL_TASK_MANAGER, "a task manager",
              FaultKind.KILL_JOB_MANAGER, "the job manager",
              FaultKind.KILL_BROKER, "a broker",
              FaultKind.KILL_ALL, "all processes"));

  /** Whether no run suffered, and no rule is broken. */
  boolean holds() {
    return runs.stream().allMatch(Verdict::holds) && !checker.broken();
  }

  /**
   * Median times until everything flowed after a kill, in milliseconds, for each kind of process;
   * what was not killed is not there.
   */
  @JsonProperty
  Map<String, Long> recoveryMillis() {
    Map<String, Long> medians = new LinkedHashMap<>();
    KILLED.forEach(
        (kind, process) -> {
          long[] flowing =
              faults.stream()
                  .filter(fault -> fault.fault().equals(kind.label()))
                  .mapToLong(FaultReport::flowingMillis)
                  .toArray();
          if (flowing.length > 0) {
            medians.put(process, Goal.median(flowing));
          }
        });
    return medians;
  }

  /** Each kind's times, and each run's verdict, as tables; then what the checker says. */
  List<String> lines() {
    List<String> lines = new ArrayList<>(times().lines());
    lines.add("");
    lines.addAll(verdicts().lines());
    lines.add("");
    lines.add(derived());
    lines.add("");
    recoveryMillis()
        .forEach(
            (process, millis) ->
                lines.add("recovery of " + process + ": " + seconds(millis) + " s (median)"));
    goals.forEach(goal -> lines.add("goal: " + goal.line()));
    checker.lines().forEach(line -> lines.add("checker: " + line));
    return lines;
  }

  private String derived() {
    List<Verdict> derived =
        runs.stream().filter(run -> run.delivery().equals(Delivery.DERIVED)).toList();
    return derived.stream().mapToLong(Verdict::logged).sum()
        + " batches without a stream have the rows that the log and the blocks give, "
        + derived.stream().mapToLong(Verdict::shared).sum()
        + " of them were read from a stream, too; files were refused "
        + derived.stream().mapToLong(Verdict::refused).sum()
        + " times";
  }

  private TextTable times() {
    TreeSet<String> names = new TreeSet<>();
    faults.forEach(fault -> names.addAll(fault.longestWaitMillis().keySet()));
    List<String> head =
        new ArrayList<>(List.of("fault", "count", "held, s", "flowing, s", "at most, s"));
    names.forEach(name -> head.add(name + " waits, s"));
    TextTable table = new TextTable(head);
    Map<String, List<FaultReport>> byKind = new TreeMap<>();
    faults.forEach(f -> byKind.computeIfAbsent(f.fault(), kind -> new ArrayList<>()).add(f));
    byKind.forEach(
        (kind, all) -> {
          List<String> row = new ArrayList<>();
          row.add(kind);
          row.add(Integer.toString(all.size()));
          row.add(seconds(Goal.median(all.stream().mapToLong(FaultReport::heldMillis).toArray())));
          long[] flowing = all.stream().mapToLong(FaultReport::flowingMillis).toArray();
          row.add(seconds(Goal.median(flowing)));
          row.add(seconds(Arrays.stream(flowing).max().orElse(0)));
          for (String name : names) {
            row.add(
                seconds(
                    Goal.median(
                        all.stream()
                            .mapToLong(f -> f.longestWaitMillis().getOrDefault(name, 0L))
                            .toArray())));
          }
          table.add(row);
        });
    return table;
  }

  private TextTable verdicts() {
    TextTable table =
        new TextTable(
            List.of(
                "run",
                "policy",
                "delivery",
                "batches",
                "replayed",
                "duplicates",
                "as logged",
                "as the other's",
                "lost",
                "repeated",
                "differing",
                "wrong version",
                "audit"));
    for (Verdict run : runs) {
      table.add(
          List.of(
              run.runId(),
              run.policy(),
              run.delivery(),
              Long.toString(run.batches()),
              Long.toString(run.replayed()),
              run.duplicates() < 0 ? "-" : Long.toString(run.duplicates()),
              Long.toString(run.logged()),
              Long.toString(run.shared()),
              Long.toString(run.lost()),
              Long.toString(run.repeated()),
              Long.toString(run.differing()),
              Long.toString(run.wrongVersion()),
              run.duplicates() < 0 ? "-" : run.violations().isEmpty() ? "passed" : "FAILED"));
    }
    return table;
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f", millis / 1e3);
  }
}
