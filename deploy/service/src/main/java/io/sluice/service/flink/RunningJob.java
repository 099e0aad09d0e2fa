package io.sluice.service.flink;

import org.apache.flink.api.common.JobStatus;

/** A job that a {@link JobRunner} runs. */
public interface RunningJob {
  /** State of the job, as of now or when last heard of. */
  JobStatus status();

  /** The latest failure as the end of a sentence; empty when there was none. */
  String reason();

  /** Ends the job, now or soon; it keeps its checkpoints. */
  void cancel();

  /** Whether nothing of the job runs any more. */
  boolean hasEnded();
}
