package io.sluice.cli.local;

import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.jobs.topics.TopicAdmin;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobStatus;

/**
 * One PrepareJob for each dataset. A dataset that changes has its job started again from its last
 * checkpoint; one that cannot be prepared is reported and does not hold up the others.
 */
public final class DatasetJobs {
  private final JobRunner runner;
  private final KafkaAccess access;
  private final Consumer<String> events;
  private final Map<String, DatasetSpec> specs = new HashMap<>();
  private final Map<String, RunningJob> jobs = new HashMap<>();
  private final Set<String> failed = new HashSet<>();

  /**
   * Jobs of no dataset yet.
   *
   * @param events told, in a sentence, what happens
   */
  public DatasetJobs(JobRunner runner, KafkaAccess access, Consumer<String> events) {
    this.runner = runner;
    this.access = access;
    this.events = events;
  }

  /** Starts the dataset's job, unless it runs with this very specification. */
  synchronized void apply(DatasetSpec spec) {
    String name = spec.getName();
    if (spec.equals(specs.put(name, spec))) {
      return;
    }
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureDataset(spec);
      RunningJob before = jobs.remove(name);
      if (before != null) {
        before.cancel();
      }
      String job = access.topics().prefix() + "prepare-" + name;
      jobs.put(name, runner.run(job, env -> PrepareJob.build(env, access, spec)));
      failed.remove(name);
      events.accept("preparing dataset " + name + ": " + String.join(", ", spec.getDomains()));
    } catch (RuntimeException e) {
      events.accept("dataset " + name + " cannot be prepared: " + e.getMessage());
    }
  }

  /** Reports jobs that have ended since the last call. */
  synchronized void reportFailures() {
    jobs.forEach(
        (name, job) -> {
          if (job.status() == JobStatus.FAILED && failed.add(name)) {
            events.accept("dataset " + name + " is no longer prepared" + job.reason());
          }
        });
  }
}
