package io.sluice.service.cluster;

import io.sluice.service.flink.RunningJob;
import io.sluice.service.supervise.Backoff;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** A job that shall run, and what is known of it. Guarded by the lock of {@link ClusterJobs}. */
final class WantedJob implements RunningJob {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(20));

  private final String name;
  private final Consumer<StreamExecutionEnvironment> pipeline;
  private final ClusterJobs jobs;
  private @Nullable JobID submitted;
  private @Nullable Path restoreNext;
  private boolean afresh;
  private Duration pause = Duration.ZERO;
  private long submittedNanos;
  private long dueNanos;
  private boolean failureTold;
  private boolean olderCheckpoints = true;
  private volatile JobStatus status = JobStatus.INITIALIZING;
  private volatile String reason = "";

  WantedJob(String name, Consumer<StreamExecutionEnvironment> pipeline, ClusterJobs jobs) {
    this.name = name;
    this.pipeline = pipeline;
    this.jobs = jobs;
    this.dueNanos = System.nanoTime();
  }

  String name() {
    return name;
  }

  Consumer<StreamExecutionEnvironment> pipeline() {
    return pipeline;
  }

  Optional<JobID> submitted() {
    return Optional.ofNullable(submitted);
  }

  /** Where to go on from at the next submission, rather than from the latest checkpoint. */
  void restoreNext(Path savepoint) {
    restoreNext = savepoint;
  }

  Optional<Path> takeRestore() {
    Optional<Path> taken = Optional.ofNullable(restoreNext);
    restoreNext = null;
    return taken;
  }

  /** To be submitted without any state the next time; what there is of it is to be removed. */
  void beginAfresh() {
    afresh = true;
  }

  boolean takeAfresh() {
    boolean taken = afresh;
    afresh = false;
    return taken;
  }

  boolean isDue(long now) {
    return now - dueNanos >= 0;
  }

  void submittedAs(JobID job, long now) {
    submitted = job;
    submittedNanos = now;
    status = JobStatus.CREATED;
    failureTold = false;
    olderCheckpoints = true;
  }

  /** Whether earlier submissions may have left checkpoints. */
  boolean hasOlderCheckpoints() {
    return olderCheckpoints;
  }

  void olderCheckpoints(boolean left) {
    olderCheckpoints = left;
  }

  void seen(JobID job, JobStatus now) {
    submitted = job;
    status = now;
  }

  /** The job restarts by itself. */
  void restarts(String why) {
    reason = failedWith(why);
  }

  /**
   * The job has failed for good.
   *
   * @return how long to wait until it is submitted again; empty if that is known already
   */
  Optional<Duration> failed(String why, long now) {
    status = JobStatus.FAILED;
    reason = failedWith(why);
    if (failureTold) {
      return Optional.empty();
    }
    failureTold = true;
    pause = BACKOFF.after(pause, Duration.ofNanos(now - submittedNanos), false);
    dueNanos = now + pause.toNanos();
    return Optional.of(pause);
  }

  private static String failedWith(String why) {
    return why.isEmpty() ? "" : "; it failed with " + why;
  }

  @Override
  public JobStatus status() {
    return status;
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public void cancel() {
    jobs.cancel(this);
  }

  @Override
  public boolean hasEnded() {
    return jobs.hasEnded(this);
  }
}
