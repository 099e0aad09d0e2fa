package io.sluice.cli.flink;

import io.sluice.jobs.main.JobRecord;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What a Flink says of its jobs; errors are those of {@link FlinkRest}. */
public record FlinkJobs(FlinkRest rest) {
  /** A job's id. */
  public static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

  /** A job's state, Flink's word. */
  public static final Pattern STATE = Pattern.compile("[A-Z_]{1,40}");

  private static final Set<String> ENDS = Set.of("FINISHED", "CANCELED", "FAILED");

  /** Whether nothing follows a state. */
  public static boolean isEnd(String state) {
    return ENDS.contains(state);
  }

  /** The checkpoint that a job completed last; empty before the first. */
  public Optional<FlinkAnswer> lastCheckpoint(String job) {
    return rest.get("/jobs/" + job + "/checkpoints")
        .perhaps("latest")
        .flatMap(latest -> latest.perhaps("completed"));
  }

  /**
   * What a job says of itself; empty if an earlier release has started it.
   *
   * @throws IllegalArgumentException if it is none of Sluice's
   */
  public Optional<JobRecord> record(String job) {
    return rest.get("/jobs/" + job + "/config")
        .perhaps("execution-config")
        .flatMap(execution -> execution.perhaps("user-config"))
        .flatMap(parameters -> JobRecord.in(parameters.texts()));
  }

  /** Why a job has failed last; '' if nothing is said. */
  public String failure(String job) {
    return rest
        .get("/jobs/" + job + "/exceptions?maxExceptions=1")
        .perhaps("exceptionHistory")
        .stream()
        .flatMap(history -> history.list("entries").stream())
        .findFirst()
        .map(entry -> FlinkRefusal.line(entry.text("stacktrace")))
        .orElse("");
  }
}
