package io.sluice.service.cluster;

import io.sluice.control.error.UnreachableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.jobgraph.JobGraph;

/** A job manager in memory, whose jobs change only as a test says. */
final class TestingJobManager implements JobManager {
  private final Map<JobID, JobStatusMessage> jobs = new TreeMap<>();
  final List<JobGraph> submitted = new ArrayList<>();
  boolean reachable = true;
  private long clock;

  @Override
  public Collection<JobStatusMessage> jobs() {
    if (!reachable) {
      throw new UnreachableException("no answer", null);
    }
    return List.copyOf(jobs.values());
  }

  @Override
  public boolean isRunning(JobID job) {
    return jobs.get(job).getJobState() == JobStatus.RUNNING;
  }

  @Override
  public void submit(JobGraph job) {
    submitted.add(job);
    add(job.getJobID(), job.getName());
  }

  /** A job that runs. */
  void add(JobID id, String name) {
    jobs.put(id, new JobStatusMessage(id, name, JobStatus.RUNNING, ++clock));
  }

  @Override
  public void cancel(JobID job) {
    move(job, JobStatus.CANCELLING);
  }

  @Override
  public Path stopWithSavepoint(JobID job, Path directory) {
    move(job, JobStatus.FINISHED);
    return directory.resolve("savepoint-1");
  }

  @Override
  public String failure(JobID job) {
    return "an exception";
  }

  /** Gives the job another state. */
  void move(JobID id, JobStatus state) {
    JobStatusMessage job = jobs.get(id);
    jobs.put(id, new JobStatusMessage(id, job.getJobName(), state, job.getStartTime()));
  }

  /** Loses every job, as a job manager does that is killed. */
  void forget() {
    jobs.clear();
  }

  JobStatus state(JobID id) {
    return jobs.get(id).getJobState();
  }
}
