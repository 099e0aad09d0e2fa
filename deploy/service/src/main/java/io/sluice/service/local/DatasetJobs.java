package io.sluice.service.local;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.PrepareJob;
import io.sluice.jobs.prepare.read.ReadCorpusFactory;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.flink.JobRunner;
import io.sluice.service.flink.RunningJob;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * One PrepareJob for each dataset. A dataset that changes has its job started again from its last
 * checkpoint; one that cannot be prepared is reported and does not hold up the others.
 */
public final class DatasetJobs {
  /**
   * Time from one checkpoint of a PrepareJob to the next, after which blocks can be read. Each
   * keeps the job's tasks waiting for about a tenth of a second.
   */
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(2);

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
      jobs.put(
          name, runner.run(job, env -> build(env, access, spec, ReadCorpusFactory.ALL_PROCESSORS)));
      failed.remove(name);
      events.accept("preparing dataset " + name + ": " + String.join(", ", spec.getDomains()));
    } catch (RuntimeException e) {
      events.accept("dataset " + name + " cannot be prepared: " + e.getMessage());
    }
  }

  /**
   * Adds a dataset's PrepareJob to the environment.
   *
   * @param threads that make tokens of texts, as {@link PrepareJob#build} has them
   */
  public static void build(
      StreamExecutionEnvironment env, KafkaAccess access, DatasetSpec spec, int threads) {
    env.getCheckpointConfig().setCheckpointInterval(CHECKPOINT_INTERVAL.toMillis());
    PrepareJob.build(env, access, spec, threads);
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
