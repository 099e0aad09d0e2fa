package io.sluice.cli.upgrade;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.CheckFailedException;
import io.sluice.jobs.main.JobRecord;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A Flink cluster, asked for what moving a job needs; errors are those of {@link FlinkRest}. */
final class FlinkCluster {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern STATE = Pattern.compile("[A-Z_]{1,40}");
  private static final Pattern VERSION = Pattern.compile("[0-9A-Za-z.+-]{1,60}");
  private static final Pattern JAR = Pattern.compile("(?:.*/)?([A-Za-z0-9._-]{1,255}\\.jar)");
  private static final Pattern PLACE = Pattern.compile("[^\\s\\p{Cntrl}]{1,4000}");

  /** Since Flink 1.20, and before. */
  private static final List<String> SAVEPOINTS =
      List.of("execution.checkpointing.savepoint-dir", "state.savepoints.dir");

  private static final Set<String> ENDS = Set.of("FINISHED", "CANCELED", "FAILED");

  private final FlinkRest rest;

  FlinkCluster(FlinkRest rest) {
    this.rest = rest;
  }

  /**
   * What it is.
   *
   * @param takesJars whether it lets jars be uploaded
   */
  record Release(String version, boolean takesJars) {}

  /**
   * A job, as the list of all has it.
   *
   * @param state Flink's word
   */
  record Listed(String id, String name, String state) {
    /** Whether it may still do something. */
    boolean lives() {
      return !ENDS.contains(state);
    }

    /** For people. */
    String named() {
      return "'" + name + "' (" + id + ")";
    }
  }

  /**
   * How a job stands.
   *
   * @param state Flink's word
   * @param parallelism of the operator that has most
   * @param tasks in all
   * @param running of them, or at their end
   */
  record Standing(String state, int parallelism, long tasks, long running) {
    boolean hasEnded() {
      return ENDS.contains(state);
    }

    boolean runs() {
      return state.equals("RUNNING") && tasks > 0 && running == tasks;
    }
  }

  /**
   * What comes of asking for a savepoint.
   *
   * @param ended whether it has been written, or has failed
   * @param place where it is
   * @param failure why there is none
   */
  record Savepoint(boolean ended, Optional<String> place, Optional<String> failure) {}

  /**
   * How a job is started from a jar.
   *
   * @param jar Flink's id of it
   * @param options of Flink's, beside those of the cluster
   */
  record Start(
      String jar,
      List<String> arguments,
      int parallelism,
      String savepoint,
      Map<String, String> options) {}

  URI url() {
    return rest.url();
  }

  /** What it is; the question that nobody may keep waiting. */
  Release release() {
    FlinkAnswer config = rest.reach("/config");
    String version = config.text("flink-version", VERSION);
    boolean takesJars =
        config
            .perhaps("features")
            .map(features -> features.body().path("web-submit").asBoolean(true))
            .orElse(true);
    return new Release(version, takesJars);
  }

  /** All jobs that it remembers. */
  List<Listed> jobs() {
    return rest.get("/jobs/overview").list("jobs").stream().map(FlinkCluster::listed).toList();
  }

  private static Listed listed(FlinkAnswer job) {
    return new Listed(job.text("jid", ID), job.text("name"), job.text("state", STATE));
  }

  Standing standing(String job) {
    FlinkAnswer answer = rest.get("/jobs/" + job);
    int parallelism = 1;
    long tasks = 0;
    long running = 0;
    for (FlinkAnswer vertex : answer.list("vertices")) {
      long subtasks = vertex.number("parallelism");
      FlinkAnswer states = vertex.at("tasks");
      parallelism = Math.max(parallelism, (int) Math.min(subtasks, Integer.MAX_VALUE));
      tasks += subtasks;
      running += states.number("RUNNING") + states.number("FINISHED");
    }
    return new Standing(answer.text("state", STATE), parallelism, tasks, running);
  }

  /** Checkpoints that a job has completed since it was submitted. */
  long checkpoints(String job) {
    return rest.get("/jobs/" + job + "/checkpoints").at("counts").number("completed");
  }

  /** What a job says of itself; empty if an earlier release has started it. */
  Optional<JobRecord> record(String job) {
    FlinkAnswer config = rest.get("/jobs/" + job + "/config");
    try {
      return config
          .perhaps("execution-config")
          .flatMap(execution -> execution.perhaps("user-config"))
          .flatMap(parameters -> JobRecord.in(parameters.texts()));
    } catch (IllegalArgumentException e) {
      throw new CheckFailedException("job " + job + " is none of Sluice's: " + e.getMessage(), e);
    }
  }

  /** Where the cluster puts savepoints, if its configuration says so. */
  Optional<String> savepoints() {
    List<FlinkAnswer> options = rest.get("/jobmanager/config").list();
    return SAVEPOINTS.stream()
        .flatMap(key -> options.stream().filter(option -> option.text("key").equals(key)))
        .map(option -> option.text("value"))
        .filter(value -> !value.isBlank())
        .findFirst();
  }

  /** Begins to stop a job, with a savepoint below a folder; what to ask for it by. */
  String stop(String job, String folder) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.put("targetDirectory", folder);
    request.put("drain", false);
    return rest.post("/jobs/" + job + "/stop", request).text("request-id", ID);
  }

  Savepoint savepoint(String job, String request) {
    FlinkAnswer answer = rest.get("/jobs/" + job + "/savepoints/" + request);
    if (!answer.at("status").text("id", STATE).equals("COMPLETED")) {
      return new Savepoint(false, Optional.empty(), Optional.empty());
    }
    FlinkAnswer operation = answer.at("operation");
    Optional<FlinkAnswer> failure = operation.perhaps("failure-cause");
    return failure.isPresent()
        ? new Savepoint(
            true,
            Optional.empty(),
            failure.map(cause -> FlinkRefusal.line(cause.text("stack-trace"))))
        : new Savepoint(true, Optional.of(operation.text("location", PLACE)), Optional.empty());
  }

  /** Sends a jar; Flink's id of it. */
  String upload(Path jar) {
    String file = rest.upload("/jars/upload", jar).text("filename", JAR);
    return file.substring(file.lastIndexOf('/') + 1);
  }

  /** Forgets a jar that was sent; jobs that were started from it have it. */
  void remove(String jar) {
    rest.delete("/jars/" + jar);
  }

  /**
   * Starts a job from a savepoint, which stays; its id. The job manager runs the jar's program
   * before it answers.
   *
   * @param limit of that
   */
  String start(Start start, Duration limit) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    ArrayNode arguments = request.putArray("programArgsList");
    start.arguments().forEach(arguments::add);
    request.put("parallelism", start.parallelism());
    request.put("savepointPath", start.savepoint());
    request.put("claimMode", "NO_CLAIM");
    request.put("allowNonRestoredState", false);
    ObjectNode options = request.putObject("flinkConfiguration");
    start.options().forEach(options::put);
    return rest.post("/jars/" + start.jar() + "/run", request, limit).text("jobid", ID);
  }

  /** Why a job has failed last; '' if nothing is said. */
  String failure(String job) {
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
