package io.sluice.control.controller;

import io.sluice.schema.ApplyRun;
import io.sluice.schema.RunCommand;

/** When an instance last read entries of the control log that are older than itself. */
public final class LogCatchUp {
  /** Quiet time after which a log counts as read to its end, following a start or a crash. */
  static final long QUIET_MILLIS = 250;

  /**
   * More of that for each run that was asked for before: what comes of many logs has longer pauses.
   */
  private static final long QUIET_MILLIS_OF_A_RUN = 5;

  private static final long MOST_QUIET_MILLIS = 5_000;

  private long oldReadMillis;
  private long startsRead;

  void readOld(long now) {
    oldReadMillis = now;
  }

  /** Counts who was asked for before this instance began. */
  void read(RunCommand command, long openedMillis, long now) {
    if (command.getBody() instanceof ApplyRun && command.getTimeMillis() < openedMillis) {
      startsRead++;
      readOld(now);
    }
  }

  long oldReadMillis() {
    return oldReadMillis;
  }

  /**
   * Until when a run is not started that was asked for before: while the logs of others still come,
   * its own may hold its start, and another one would be written into it in vain.
   *
   * @param until when its own log counts as read; 0 if nothing of the run is older than the
   *     instance
   */
  long mayStartAt(long until) {
    long quiet = Math.max(QUIET_MILLIS, startsRead * QUIET_MILLIS_OF_A_RUN);
    return until == 0 ? 0 : Math.max(until, oldReadMillis + Math.min(quiet, MOST_QUIET_MILLIS));
  }
}
