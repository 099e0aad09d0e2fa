package io.sluice.service.flink;

import io.sluice.control.config.Durations;
import io.sluice.control.error.Answers;
import io.sluice.control.error.UnreachableException;
import io.sluice.service.supervise.LongWait;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.StreamSupport;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.minicluster.MiniCluster;

/**
 * A job that was submitted to an {@link EmbeddedFlink}.
 *
 * @param name that it was submitted under
 * @param jobId Flink's id of this submission
 * @param cluster that it runs on
 */
public record JobHandle(String name, JobID jobId, MiniCluster cluster) implements RunningJob {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  @Override
  public JobStatus status() {
    return await(cluster.getJobStatus(jobId), "asking for the state of job '" + name + "'");
  }

  /** What made the job fail most recently, restarts included; empty if nothing has. */
  public Optional<String> failure() {
    return Optional.ofNullable(graph().getFailureInfo()).map(ErrorInfo::getExceptionAsString);
  }

  /**
   * Waits until every task runs or has finished.
   *
   * @throws UnreachableException if the job ends without success, or the time passes
   */
  public void awaitRunning(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    for (AccessExecutionGraph graph = graph(); !allTasksRun(graph); graph = graph()) {
      requireNotEnded(graph);
      pause(deadline, "does not run", timeout);
    }
  }

  /**
   * The same for as long as the job has not ended.
   *
   * @param wait told how far it is meanwhile
   * @throws UnreachableException if the job ends without success, or this thread is interrupted
   */
  public void awaitRunning(LongWait wait) {
    for (AccessExecutionGraph graph = graph(); !allTasksRun(graph); graph = graph()) {
      requireNotEnded(graph);
      JobStatus state = graph.getState();
      wait.goOn(() -> "job '" + name + "' is " + state + ", not all its tasks run" + reason());
      if (Thread.currentThread().isInterrupted()) {
        throw new UnreachableException("job '" + name + "' was not waited for");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void requireNotEnded(AccessExecutionGraph graph) {
    if (graph.getState() == JobStatus.FAILED || graph.getState() == JobStatus.CANCELED) {
      throw new UnreachableException("job '" + name + "' is " + graph.getState() + reason());
    }
  }

  /**
   * Waits until the job has ended.
   *
   * @return FINISHED, CANCELED or FAILED
   * @throws UnreachableException if the time passes first
   */
  public JobStatus awaitEnd(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    JobStatus status = status();
    while (!status.isGloballyTerminalState()) {
      pause(deadline, "has not ended", timeout);
      status = status();
    }
    return status;
  }

  /**
   * Completes a checkpoint as soon as every task runs, and returns its directory.
   *
   * @throws UnreachableException if the tasks do not run in time, or the checkpoint fails
   */
  public Path checkpoint() {
    awaitRunning(PATIENCE);
    return path(await(cluster.triggerCheckpoint(jobId), "checkpointing job '" + name + "'"));
  }

  /** Cancels the job, which keeps its checkpoints, and waits for its end. */
  @Override
  public void cancel() {
    if (!status().isGloballyTerminalState()) {
      await(cluster.cancelJob(jobId), "cancelling job '" + name + "'");
      awaitEnd(PATIENCE);
    }
  }

  @Override
  public boolean hasEnded() {
    return status().isGloballyTerminalState();
  }

  /** Ends the job with a savepoint under the directory and returns the savepoint. */
  public Path stopWithSavepoint(Path directory) {
    String savepoint =
        await(
            cluster.stopWithSavepoint(
                jobId, directory.toUri().toString(), true, SavepointFormatType.CANONICAL),
            "stopping job '" + name + "' with a savepoint");
    awaitEnd(PATIENCE);
    return path(savepoint);
  }

  static <T> T await(Future<T> answer, String what) {
    return Answers.await(answer, PATIENCE, what);
  }

  private AccessExecutionGraph graph() {
    return await(cluster.getExecutionGraph(jobId), "asking for the tasks of job '" + name + "'");
  }

  private void pause(long deadline, String complaint, Duration timeout) {
    if (System.nanoTime() >= deadline || Thread.currentThread().isInterrupted()) {
      throw new UnreachableException(
          "job '" + name + "' " + complaint + " within " + Durations.passed(timeout) + reason());
    }
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  @Override
  public String reason() {
    return failure()
        .map(text -> "; it failed with " + text.lines().findFirst().orElse(""))
        .orElse("");
  }

  private static boolean allTasksRun(AccessExecutionGraph graph) {
    if (graph.getState() == JobStatus.FINISHED) {
      return true;
    }
    return graph.getState() == JobStatus.RUNNING
        && StreamSupport.stream(graph.getAllExecutionVertices().spliterator(), false)
            .map(AccessExecutionVertex::getExecutionState)
            .allMatch(state -> state == ExecutionState.RUNNING || state == ExecutionState.FINISHED);
  }

  private static Path path(String location) {
    return Path.of(URI.create(location));
  }
}
