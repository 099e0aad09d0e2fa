package io.sluice.service.cluster;

import io.sluice.control.error.Answers;
import io.sluice.control.error.UnreachableException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.rest.messages.EmptyRequestBody;
import org.apache.flink.runtime.rest.messages.JobExceptionsHeaders;
import org.apache.flink.runtime.rest.messages.job.JobExceptionsMessageParameters;

/** The job manager of a cluster, asked over its REST interface. */
final class FlinkRest implements JobManager, AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final Duration SAVEPOINT = Duration.ofMinutes(2);

  private final RestClusterClient<String> client;

  /**
   * @param cluster options that the job manager was started with
   */
  FlinkRest(Configuration cluster) {
    Configuration options = new Configuration(cluster);
    options.set(RestOptions.RETRY_MAX_ATTEMPTS, 1);
    options.set(RestOptions.RETRY_DELAY, Duration.ofMillis(100));
    options.set(RestOptions.CONNECTION_TIMEOUT, Duration.ofSeconds(2));
    try {
      client = new RestClusterClient<>(options, "sluice");
    } catch (Exception e) {
      throw new UnreachableException("no client of the job manager can be made: " + e, e);
    }
  }

  @Override
  public Collection<JobStatusMessage> jobs() {
    return Answers.await(client.listJobs(), ANSWER, "listing the jobs");
  }

  @Override
  public boolean isRunning(JobID job) {
    return Answers.await(client.getJobDetails(job), ANSWER, "asking for the tasks of job " + job)
        .getJobVertexInfos()
        .stream()
        .allMatch(vertex -> vertex.getExecutionState() == ExecutionState.RUNNING);
  }

  @Override
  public void submit(JobGraph job) {
    Answers.await(client.submitJob(job), ANSWER, "submitting job '" + job.getName() + "'");
  }

  @Override
  public void cancel(JobID job) {
    Answers.await(client.cancel(job), ANSWER, "cancelling job " + job);
  }

  @Override
  public Path stopWithSavepoint(JobID job, Path directory) {
    String location =
        Answers.await(
            client.stopWithSavepoint(
                job, false, directory.toUri().toString(), SavepointFormatType.CANONICAL),
            SAVEPOINT,
            "stopping job " + job + " with a savepoint");
    return Path.of(URI.create(location));
  }

  @Override
  public String failure(JobID job) {
    JobExceptionsMessageParameters parameters = new JobExceptionsMessageParameters();
    parameters.jobPathParameter.resolve(job);
    return Answers.await(
            client.sendRequest(
                JobExceptionsHeaders.getInstance(), parameters, EmptyRequestBody.getInstance()),
            ANSWER,
            "asking for the failures of job " + job)
        .getExceptionHistory()
        .getEntries()
        .stream()
        .findFirst()
        .flatMap(entry -> entry.getStacktrace().lines().findFirst())
        .orElse("");
  }

  @Override
  public void close() {
    client.close();
  }
}
