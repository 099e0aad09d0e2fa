package io.sluice.lab.chaos;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.chaos.fault.FaultReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A time that faults are meant to keep to, and the one that they took.
 *
 * @param of what takes the time
 */
record Goal(String of, long goalMillis, long measuredMillis) {
  private static final int SEVERAL = 3;
  private static final long TASK_MANAGER_MILLIS = 2_000;
  private static final long JOB_MANAGER_MILLIS = 5_000;
  private static final long BROKER_MILLIS = 3_000;
  private static final long ALL_MILLIS = 12_000;
  private static final long AHEAD_MILLIS = 200;

  /** They hit the trainer itself, its run, or more than one process. */
  private static final Set<String> NOT_SINGLE =
      Stream.of(
              FaultKind.KILL_TRAINER,
              FaultKind.FREEZE_TRAINER,
              FaultKind.KILL_ALL,
              FaultKind.KILL_BROKERS,
              FaultKind.DELETE_STREAM,
              FaultKind.RECREATE_RUN)
          .map(FaultKind::label)
          .collect(Collectors.toUnmodifiableSet());

  /**
   * Those that the faults say something about.
   *
   * @param ahead the run that has batches for many seconds granted ahead
   */
  static List<Goal> of(List<FaultReport> faults, int brokers, String ahead) {
    List<Goal> goals = new ArrayList<>();
    recovery(goals, faults, FaultKind.KILL_TASK_MANAGER, "a task manager", TASK_MANAGER_MILLIS);
    recovery(goals, faults, FaultKind.KILL_JOB_MANAGER, "the job manager", JOB_MANAGER_MILLIS);
    if (brokers == SEVERAL) {
      recovery(goals, faults, FaultKind.KILL_BROKER, "a broker of three", BROKER_MILLIS);
    }
    recovery(goals, faults, FaultKind.KILL_ALL, "all processes", ALL_MILLIS);
    longestWait(faults, ahead)
        .ifPresent(wait -> goals.add(new Goal("longest wait of " + ahead, AHEAD_MILLIS, wait)));
    return goals;
  }

  private static void recovery(
      List<Goal> goals, List<FaultReport> faults, FaultKind kind, String process, long goal) {
    long[] flowing =
        faults.stream()
            .filter(fault -> fault.fault().equals(kind.label()))
            .mapToLong(FaultReport::flowingMillis)
            .toArray();
    if (flowing.length > 0) {
      goals.add(new Goal("recovery of " + process, goal, median(flowing)));
    }
  }

  private static OptionalLong longestWait(List<FaultReport> faults, String run) {
    return faults.stream()
        .filter(fault -> !NOT_SINGLE.contains(fault.fault()) && !fault.target().contains("trainer"))
        .flatMapToLong(
            fault -> Stream.ofNullable(fault.longestWaitMillis().get(run)).mapToLong(w -> w))
        .max();
  }

  /** Whether it took no longer. */
  @JsonProperty
  boolean met() {
    return measuredMillis <= goalMillis;
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%s: %.1f s (goal %.1f s%s)",
        of,
        measuredMillis / 1e3,
        goalMillis / 1e3,
        met() ? "" : ", MISSED");
  }

  /** The middle one; 0 of none. */
  static long median(long[] values) {
    long[] sorted = LongStream.of(values).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }
}
