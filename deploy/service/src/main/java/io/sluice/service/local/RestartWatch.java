package io.sluice.service.local;

import io.sluice.service.flink.RunningJob;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobStatus;

/**
 * Tells of a job that restarts again and again, which Flink does for ever and in silence, and when
 * it runs again.
 */
public final class RestartWatch {
  /** A job that restarts for so long is told of, one that runs for so long runs again. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final String what;
  private final Consumer<String> events;
  private boolean restarting;
  private boolean told;
  private long firstNanos;
  private long latestNanos;

  /**
   * A watch over one job.
   *
   * @param what the job does, as the subject of a sentence
   * @param events told, in a sentence, what happens
   */
  public RestartWatch(String what, Consumer<String> events) {
    this.what = what;
    this.events = events;
  }

  /** Looks at the job; to be called about once a second, with a clock that only goes forward. */
  public void look(RunningJob job, long nanos) {
    JobStatus status = job.status();
    if (status == JobStatus.RESTARTING || status == JobStatus.FAILING) {
      restarts(job, nanos);
    } else if (restarting && nanos - latestNanos >= PATIENCE.toNanos()) {
      restarting = false;
      if (told && status == JobStatus.RUNNING) {
        events.accept(what + " goes on");
      }
      told = false;
    }
  }

  private void restarts(RunningJob job, long nanos) {
    if (!restarting) {
      restarting = true;
      firstNanos = nanos;
    }
    latestNanos = nanos;
    if (!told && nanos - firstNanos >= PATIENCE.toNanos()) {
      told = true;
      events.accept(
          what
              + " does not go on: its job has restarted again and again for "
              + PATIENCE.toSeconds()
              + " s, and is still tried"
              + job.reason());
    }
  }
}
