package io.sluice.lab.bench.age;

import io.sluice.jobs.mix.mark.KafkaStreamMarks;
import io.sluice.jobs.mix.mark.StreamMarks;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Runs that ended without MixJob, which looks at their streams once and marks them. */
final class EndedRuns {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private EndedRuns() {}

  /**
   * Waits until so many runs are marked, as they all are where MixJob was there when they ended.
   */
  static void awaitMarks(KafkaAccess kafka, int runs, BenchLog log) {
    log.say("MixJob marks the runs that have ended");
    StreamMarks marks = new KafkaStreamMarks(kafka);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    int marked = marks.read().size();
    while (marked < runs) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(marked + " of " + runs + " runs that ended are marked");
      }
      LockSupport.parkNanos(LOOK.toNanos());
      marked = marks.read().size();
    }
  }
}
