package io.sluice.service.local;

import io.sluice.service.flink.RunningJob;
import io.sluice.service.supervise.Backoff;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.flink.api.common.JobStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job that shall run. A start that fails is reported, and due again after a pause that grows; a
 * job that has ended, or does not come to run, is reported.
 */
final class KeptJob {
  private static final Logger LOG = LoggerFactory.getLogger(KeptJob.class);

  /** Pauses before a start that failed is tried again; no start lives, so there is no grace. */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(1));

  private final String what;
  private final String done;
  private final LongSupplier nanos;
  private final Consumer<String> events;
  private final RestartWatch restarts;
  private @Nullable RunningJob job;
  private boolean started;
  private boolean endTold;
  private Duration pause = Duration.ZERO;
  private long dueNanos;
  private String failureTold = "";

  /**
   * A job that was not started.
   *
   * @param doing what the job does, as the subject of a sentence
   * @param what it does that to, as the subject of a sentence
   * @param done what is done to that, as a participle
   * @param nanos a clock for pauses, as {@link System#nanoTime}
   * @param events told, in a sentence, what happens
   */
  KeptJob(String doing, String what, String done, LongSupplier nanos, Consumer<String> events) {
    this.what = what;
    this.done = done;
    this.nanos = nanos;
    this.events = events;
    this.restarts = new RestartWatch(doing, events);
  }

  /** Whether it was started as it shall be now, or that has failed and is tried again. */
  boolean isTried() {
    return started || !pause.isZero();
  }

  /** Whether a start is due. */
  boolean isDue() {
    return !started && nanos.getAsLong() - dueNanos >= 0;
  }

  /** It shall be another one from now on; the one before runs until that starts. */
  void change() {
    started = false;
    pause = Duration.ZERO;
    failureTold = "";
  }

  /**
   * Starts it.
   *
   * @param before what must be there first; the job before runs until it is
   * @param starter starts the job
   * @param told is told once it has started
   */
  void start(Runnable before, Supplier<RunningJob> starter, String told) {
    try {
      before.run();
      if (job != null) {
        job.cancel();
        job = null;
      }
      job = starter.get();
      started = true;
      endTold = false;
      events.accept(told);
    } catch (RuntimeException e) {
      pause = BACKOFF.after(pause, Duration.ZERO, false);
      dueNanos = nanos.getAsLong() + pause.toNanos();
      tell(String.valueOf(e.getMessage()));
    }
  }

  /** Reports a job that has ended or does not come to run. */
  void look() {
    if (job == null) {
      return;
    }
    restarts.look(job, nanos.getAsLong());
    if (!endTold && job.status() == JobStatus.FAILED) {
      endTold = true;
      events.accept(what + " is no longer " + done + job.reason());
    }
  }

  /**
   * Ends it, until it is due again at once.
   *
   * @param told is told when that begins
   * @return whether nothing of it runs; one that cannot be ended yet is to be asked for again
   */
  boolean stop(String told) {
    try {
      return stopped(told);
    } catch (RuntimeException e) {
      LOG.warn("{} is not stopped yet; trying again", what, e);
      return false;
    }
  }

  private boolean stopped(String told) {
    if (started && job != null) {
      job.cancel();
      events.accept(told);
    }
    started = false;
    pause = Duration.ZERO;
    dueNanos = nanos.getAsLong();
    if (job != null && !job.hasEnded()) {
      return false;
    }
    job = null;
    return true;
  }

  /** Says why a start failed, once for each reason. */
  private void tell(String why) {
    if (!why.equals(failureTold)) {
      failureTold = why;
      events.accept(
          what
              + " cannot be "
              + done
              + ": "
              + why
              + "; it is tried again in "
              + pause.toSeconds()
              + " s, and then once a minute at least");
    }
  }
}
