package io.sluice.cli.upgrade;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.flink.FlinkAnswer;
import io.sluice.cli.flink.FlinkJobs;
import io.sluice.cli.flink.FlinkRefusal;
import io.sluice.cli.flink.FlinkRest;
import io.sluice.control.error.CheckFailedException;
import io.sluice.jobs.main.JobRecord;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Flink cluster, asked for what moving a job needs; errors are those of {@link FlinkRest}. */
final class FlinkCluster {
  private static final Pattern VERSION = Pattern.compile("[0-9A-Za-z.+-]{1,60}");
  private static final Pattern JAR = Pattern.compile("(?:.*/)?([A-Za-z0-9._-]{1,255}\\.jar)");
  private static final Pattern PLACE = Pattern.compile("[^\\s\\p{Cntrl}]{1,4000}");

  /** Of a checkpoint, below the folder of all. */
  private static final Pattern CHECKPOINT =
      Pattern.compile("([a-z][a-z0-9+.-]*:[^\\s\\p{Cntrl}]{1,4000})/[0-9a-f]{32}/chk-[0-9]+/?");

  private final FlinkRest rest;
  private final FlinkJobs jobs;

  FlinkCluster(FlinkRest rest) {
    this.rest = rest;
    this.jobs = new FlinkJobs(rest);
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
      return !FlinkJobs.isEnd(state);
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
      return FlinkJobs.isEnd(state);
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
   * A job as it would be.
   *
   * @param slots that it takes: its operators share them, so as many as the one that has most
   */
  record JobPlan(long slots) {}

  /** The slots of all task managers. */
  record Slots(long total, long available) {}

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
    return new Listed(
        job.text("jid", FlinkJobs.ID), job.text("name"), job.text("state", FlinkJobs.STATE));
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
    return new Standing(answer.text("state", FlinkJobs.STATE), parallelism, tasks, running);
  }

  /** Checkpoints that a job has completed since it was submitted. */
  long checkpoints(String job) {
    return rest.get("/jobs/" + job + "/checkpoints").at("counts").number("completed");
  }

  /** What a job says of itself; empty if an earlier release has started it. */
  Optional<JobRecord> record(String job) {
    try {
      return jobs.record(job);
    } catch (IllegalArgumentException e) {
      throw new CheckFailedException("job " + job + " is none of Sluice's: " + e.getMessage(), e);
    }
  }

  /** The folder below which a job's checkpoints are, as far as the last one tells. */
  Optional<String> checkpointsFolder(String job) {
    return jobs.lastCheckpoint(job)
        .map(last -> CHECKPOINT.matcher(last.body().path("external_path").asText("")))
        .filter(Matcher::matches)
        .map(place -> place.group(1));
  }

  /** What its configuration says. */
  ClusterSettings settings() {
    Map<String, String> options = new HashMap<>();
    for (FlinkAnswer option : rest.get("/jobmanager/config").list()) {
      options.put(option.text("key"), option.text("value"));
    }
    return new ClusterSettings(options);
  }

  Slots slots() {
    FlinkAnswer overview = rest.get("/overview");
    return new Slots(overview.number("slots-total"), overview.number("slots-available"));
  }

  /** Begins to stop a job, with a savepoint below a folder; what to ask for it by. */
  String stop(String job, String folder) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.put("targetDirectory", folder);
    request.put("drain", false);
    return rest.post("/jobs/" + job + "/stop", request).text("request-id", FlinkJobs.ID);
  }

  Savepoint savepoint(String job, String request) {
    FlinkAnswer answer = rest.get("/jobs/" + job + "/savepoints/" + request);
    if (!answer.at("status").text("id", FlinkJobs.STATE).equals("COMPLETED")) {
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
  String start(Start start, String savepoint, Duration limit) {
    return rest.post("/jars/" + start.jar() + "/run", start.from(savepoint), limit)
        .text("jobid", FlinkJobs.ID);
  }

  /**
   * Has the job manager run the jar's program, and start nothing.
   *
   * @param limit of that
   */
  JobPlan plan(Start start, Duration limit) {
    FlinkAnswer plan =
        rest.post("/jars/" + start.jar() + "/plan", start.planned(), limit).at("plan");
    return new JobPlan(
        plan.list("nodes").stream().mapToLong(node -> node.number("parallelism")).max().orElse(0));
  }

  /** Why a job has failed last; '' if nothing is said. */
  String failure(String job) {
    return jobs.failure(job);
  }
}
