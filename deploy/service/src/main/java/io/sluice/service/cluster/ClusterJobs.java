package io.sluice.service.cluster;

import io.sluice.control.error.UnreachableException;
import io.sluice.service.flink.JobGraphs;
import io.sluice.service.flink.JobRunner;
import io.sluice.service.supervise.LongWait;
import io.sluice.service.supervise.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that shall run, held against those that the job manager has, several times a second: one
 * that is missing is submitted from its latest checkpoint, one that runs twice is cancelled once. A
 * job manager that has lost everything is thus given all its jobs again.
 */
final class ClusterJobs implements JobRunner, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterJobs.class);
  private static final long PAUSE_MILLIS = 300;
  private static final Duration CLOSE = Duration.ofSeconds(15);

  private final JobManager flink;
  private final JobGraphs graphs;
  private final Consumer<String> events;
  private final Map<String, WantedJob> wanted = new LinkedHashMap<>();
  private final Set<String> unwanted = new HashSet<>();
  private final Thread thread = new Thread(this::keepRunning, "sluice-jobs");

  ClusterJobs(JobManager flink, JobGraphs graphs, Consumer<String> events) {
    this.flink = flink;
    this.graphs = graphs;
    this.events = events;
    thread.setDaemon(true);
  }

  static ClusterJobs start(JobManager flink, JobGraphs graphs, Consumer<String> events) {
    ClusterJobs jobs = new ClusterJobs(flink, graphs, events);
    jobs.thread.start();
    return jobs;
  }

  @Override
  public synchronized WantedJob run(String name, Consumer<StreamExecutionEnvironment> pipeline) {
    WantedJob job = new WantedJob(name, pipeline, this);
    wanted.put(name, job);
    return job;
  }

  @Override
  public synchronized WantedJob runAfresh(
      String name, Consumer<StreamExecutionEnvironment> pipeline) {
    WantedJob job = run(name, pipeline);
    job.beginAfresh();
    return job;
  }

  synchronized void cancel(WantedJob job) {
    wanted.remove(job.name(), job);
    unwanted.add(job.name());
  }

  /** Whether nothing runs under the name of a job that was cancelled. */
  synchronized boolean hasEnded(WantedJob job) {
    return !wanted.containsValue(job) && !unwanted.contains(job.name());
  }

  /**
   * Ends the job with a savepoint, from which it is then started again.
   *
   * @param next what runs under its name from then on
   */
  synchronized WantedJob restartFromSavepoint(
      WantedJob job, Path directory, Consumer<StreamExecutionEnvironment> next) {
    JobID running = job.submitted().orElseThrow();
    Path savepoint = flink.stopWithSavepoint(running, directory);
    WantedJob again = run(job.name(), next);
    again.restoreNext(savepoint);
    return again;
  }

  /** Cancels the job, removes its checkpoints, and starts it again under its name. */
  synchronized WantedJob restartAfresh(WantedJob job, Consumer<StreamExecutionEnvironment> next) {
    job.cancel();
    return runAfresh(job.name(), next);
  }

  /**
   * Waits until every task of the job runs.
   *
   * @param wait told how far it is meanwhile
   * @throws UnreachableException if this thread is interrupted
   */
  void awaitRunning(WantedJob job, LongWait wait) {
    while (!isRunning(job)) {
      wait.goOn(
          () ->
              "job '"
                  + job.name()
                  + "' is "
                  + job.status()
                  + ", not all its tasks run"
                  + job.reason());
      if (Thread.currentThread().isInterrupted()) {
        throw new UnreachableException("job '" + job.name() + "' was not waited for");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS / 3));
    }
  }

  /** Submits a job that starts afresh and is not looked after; closing what is returned ends it. */
  AutoCloseable runUntended(String name, Consumer<StreamExecutionEnvironment> pipeline) {
    JobGraph graph = graphs.of(name, pipeline, Optional.empty());
    flink.submit(graph);
    return () -> flink.cancel(graph.getJobID());
  }

  /** Whether every task of the job runs. */
  boolean isRunning(WantedJob job) {
    try {
      Optional<JobID> submitted;
      synchronized (this) {
        submitted = job.submitted();
      }
      return job.status() == JobStatus.RUNNING && flink.isRunning(submitted.orElseThrow());
    } catch (UnreachableException e) {
      return false;
    }
  }

  private void keepRunning() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        reconcile();
      }
    } catch (InterruptedException closed) {
      LOG.debug("jobs are no longer kept running");
    }
  }

  /** Holds what shall run against what runs, once. */
  synchronized void reconcile() {
    try {
      Collection<JobStatusMessage> known = flink.jobs();
      cancelUnwanted(known);
      for (WantedJob job : List.copyOf(wanted.values())) {
        if (!unwanted.contains(job.name())) {
          reconcile(job, known);
        }
      }
    } catch (UnreachableException e) {
      LOG.debug("the job manager does not answer; trying again", e);
    } catch (RuntimeException e) {
      LOG.warn("jobs cannot be kept running; trying again", e);
      events.accept("jobs cannot be kept running: " + e.getMessage());
    }
  }

  private void cancelUnwanted(Collection<JobStatusMessage> known) {
    for (String name : Set.copyOf(unwanted)) {
      List<JobStatusMessage> alive = alive(name, known);
      if (alive.isEmpty()) {
        unwanted.remove(name);
      }
      alive.stream()
          .filter(job -> job.getJobState() != JobStatus.CANCELLING)
          .forEach(job -> flink.cancel(job.getJobId()));
    }
  }

  private void reconcile(WantedJob job, Collection<JobStatusMessage> known) {
    List<JobStatusMessage> alive = alive(job.name(), known);
    if (!alive.isEmpty()) {
      see(job, alive.get(0));
      if (alive.size() == 1 && job.status() == JobStatus.RUNNING && job.hasOlderCheckpoints()) {
        job.olderCheckpoints(!graphs.removeOlderCheckpoints(job.name(), alive.get(0).getJobId()));
      }
      for (JobStatusMessage copy : alive.subList(1, alive.size())) {
        events.accept("job " + job.name() + " runs twice; the later one is cancelled");
        flink.cancel(copy.getJobId());
      }
      return;
    }
    long now = System.nanoTime();
    job.submitted().filter(id -> isFailed(id, known)).ifPresent(id -> tellFailure(job, id, now));
    if (job.isDue(now)) {
      submit(job, now);
    }
  }

  private void see(WantedJob job, JobStatusMessage now) {
    JobStatus before = job.status();
    job.seen(now.getJobId(), now.getJobState());
    if (job.status() == JobStatus.RESTARTING && before != JobStatus.RESTARTING) {
      job.restarts(flink.failure(now.getJobId()));
    }
  }

  private void tellFailure(WantedJob job, JobID id, long now) {
    job.failed(flink.failure(id), now)
        .ifPresent(
            pause ->
                events.accept(
                    "job "
                        + job.name()
                        + " has ended"
                        + job.reason()
                        + "; it is submitted again in "
                        + pause.toSeconds()
                        + " s"));
  }

  private void submit(WantedJob job, long now) {
    if (job.takeAfresh()) {
      graphs.removeCheckpoints(job.name());
    }
    Optional<Path> from = job.takeRestore().or(() -> graphs.latestCheckpoint(job.name()));
    JobGraph graph = graphs.of(job.name(), job.pipeline(), from);
    flink.submit(graph);
    job.submittedAs(graph.getJobID(), now);
    events.accept(
        "job "
            + job.name()
            + from.map(path -> " goes on from " + path.getFileName()).orElse(" starts"));
  }

  private static boolean isFailed(JobID id, Collection<JobStatusMessage> known) {
    return known.stream()
        .anyMatch(job -> job.getJobId().equals(id) && job.getJobState() == JobStatus.FAILED);
  }

  /** Jobs of a name that have not ended, the oldest first. */
  private static List<JobStatusMessage> alive(String name, Collection<JobStatusMessage> known) {
    return known.stream()
        .filter(job -> job.getJobName().equals(name))
        .filter(job -> !job.getJobState().isGloballyTerminalState())
        .sorted(Comparator.comparingLong(JobStatusMessage::getStartTime))
        .toList();
  }

  /** Stops looking after the jobs; they run on. */
  @Override
  public void close() {
    Threads.end(thread, CLOSE);
  }
}
