package io.sluice.service.cluster;

import io.sluice.control.error.UnreachableException;
import java.nio.file.Path;
import java.util.Collection;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.jobgraph.JobGraph;

/**
 * The job manager of a cluster. Every method throws {@link UnreachableException} when it does not
 * answer, or refuses.
 */
interface JobManager {
  /** Every job that this job manager knows, ended ones too. */
  Collection<JobStatusMessage> jobs();

  /** Whether every task of the job runs. */
  boolean isRunning(JobID job);

  /** Hands a job over; it runs soon. */
  void submit(JobGraph job);

  /** Asks for the end of a job. */
  void cancel(JobID job);

  /** Ends the job with a savepoint under the directory and returns the savepoint. */
  Path stopWithSavepoint(JobID job, Path directory);

  /** First line of the job's latest failure; '' when there was none. */
  String failure(JobID job);
}
