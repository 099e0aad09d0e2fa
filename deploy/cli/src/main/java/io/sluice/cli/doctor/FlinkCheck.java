package io.sluice.cli.doctor;

import io.sluice.cli.flink.FlinkAnswer;
import io.sluice.cli.flink.FlinkJobs;
import io.sluice.cli.flink.FlinkRest;
import io.sluice.cli.storage.Deployment;
import io.sluice.control.config.Durations;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.UnreachableException;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import io.sluice.schema.segment.InPlace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * Whether a Flink of one's own runs the jobs that datasets, refineries and runs need, and how old
 * their checkpoints are: what they write is read by nobody before the next one.
 */
record FlinkCheck(Brokers brokers, FlinkRest flink, InstantSource clock) implements Check {
  private static final String MIX = "sluice mix";

  /** Jobs begin theirs every few seconds; what takes longer than this does not go on. */
  private static final Duration OLD = Duration.ofMinutes(5);

  /**
   * A job of Flink's that has not ended.
   *
   * @param since when it was submitted
   * @param checkpoint when its last checkpoint was complete; empty before the first
   * @param failure what ended its tasks last; '' if nothing did
   */
  record Job(
      String id,
      String name,
      String state,
      Instant since,
      Optional<Instant> checkpoint,
      String failure) {}

  @Override
  public String name() {
    return "Flink";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    List<String> wanted = wanted(brokers.deployment());
    try {
      flink.reach("/config");
      return of(wanted, jobs(), clock.instant());
    } catch (UnreachableException | CheckFailedException e) {
      return List.of(
          Finding.failure(
              name(),
              String.valueOf(e.getMessage()),
              "--flink must be the address of its REST interface, as this machine reaches it"));
    }
  }

  /** Names of the jobs that are needed. */
  private List<String> wanted(Deployment deployment) {
    List<String> wanted = new ArrayList<>();
    if (deployment.runs().stream().anyMatch(run -> !run.ended())) {
      wanted.add(MIX);
    }
    if (brokers.topics().ownsDatasets()) {
      for (DatasetSpec dataset : deployment.datasets()) {
        if (!InPlace.without(dataset).getDomains().isEmpty()) {
          wanted.add("sluice prepare " + dataset.getName());
        }
      }
      for (RefineSpec refinery : deployment.refineries()) {
        wanted.add("sluice refine " + refinery.getName());
      }
    }
    return wanted;
  }

  /** Jobs of this prefix that have not ended. */
  List<Job> jobs() {
    List<Job> found = new ArrayList<>();
    FlinkJobs jobs = new FlinkJobs(flink);
    for (FlinkAnswer job : flink.get("/jobs/overview").list("jobs")) {
      String state = job.text("state", FlinkJobs.STATE);
      String id = job.text("jid", FlinkJobs.ID);
      if (!FlinkJobs.isEnd(state) && job.text("name").startsWith("sluice ") && isOurs(jobs, id)) {
        found.add(
            new Job(
                id,
                job.text("name"),
                state,
                Instant.ofEpochMilli(job.number("start-time")),
                jobs.lastCheckpoint(id)
                    .map(last -> Instant.ofEpochMilli(last.number("latest_ack_timestamp"))),
                state.equals("RUNNING") ? "" : jobs.failure(id)));
      }
    }
    return found;
  }

  /** Whether a job works below this prefix; one that says nothing of itself may. */
  private boolean isOurs(FlinkJobs jobs, String id) {
    try {
      return jobs.record(id)
          .map(said -> prefix(said.arguments()).equals(brokers.topics().prefixes()))
          .orElse(true);
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  private static String prefix(List<String> arguments) {
    String prefix = Topics.standard().prefixes();
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).equals("--prefix") && i + 1 < arguments.size()) {
        prefix = arguments.get(i + 1);
      } else if (arguments.get(i).startsWith("--prefix=")) {
        prefix = arguments.get(i).substring("--prefix=".length());
      }
    }
    return prefix;
  }

  /** What is said of the jobs that are needed, and of those that there are. */
  List<Finding> of(List<String> wanted, List<Job> jobs, Instant now) {
    List<Finding> findings = new ArrayList<>();
    for (String name : wanted) {
      List<Job> named = jobs.stream().filter(job -> job.name().equals(name)).toList();
      if (named.isEmpty()) {
        findings.add(missing(name));
      } else if (named.size() > 1) {
        findings.add(several(name, named));
      }
    }
    jobs.forEach(job -> state(job, now).ifPresent(findings::add));
    if (findings.isEmpty()) {
      Optional<Instant> oldest =
          jobs.stream().flatMap(job -> job.checkpoint().stream()).min(Instant::compareTo);
      findings.add(
          Finding.ok(
              name(),
              "%d jobs run at %s%s"
                  .formatted(
                      jobs.size(),
                      flink.url(),
                      oldest
                          .map(at -> ", checkpoints at most " + passed(at, now) + " old")
                          .orElse(""))));
    }
    return findings;
  }

  private Finding missing(String name) {
    return Finding.failure(
        name(),
        "no job '" + name + "' runs at " + flink.url(),
        "'flink run -d sluice-jobs-VERSION-flink.jar %s …' starts it, or 'sluice up' runs it"
            .formatted(name.substring("sluice ".length()).replaceFirst(" .*", "")));
  }

  private Finding several(String name, List<Job> named) {
    return Finding.warning(
        name(),
        named.size() + " jobs are called '" + name + "': " + named.stream().map(Job::id).toList(),
        "'flink cancel ID' ends all but one, unless each has a prefix of its own");
  }

  private Optional<Finding> state(Job job, Instant now) {
    String named = "'" + job.name() + "' (" + job.id() + ")";
    if (!job.state().equals("RUNNING")) {
      String why = job.failure().isEmpty() ? "" : ": " + job.failure();
      return Optional.of(
          Finding.failure(
              name(),
              named + " is " + job.state() + why,
              "Flink's page and the log of its task managers say more"));
    }
    Instant last = job.checkpoint().orElse(job.since());
    if (last.isAfter(now.minus(OLD))) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.failure(
            name(),
            named
                + (job.checkpoint().isEmpty()
                    ? " has completed no checkpoint since it began "
                    : " has completed its last checkpoint ")
                + passed(last, now)
                + " ago: what it has written since is read by nobody",
            "Flink's page, Checkpoints, says why: a folder that cannot be written, or a task that"
                + " does not come to it"));
  }

  private static String passed(Instant since, Instant now) {
    return Durations.passed(Duration.between(since, now));
  }
}
