package io.sluice.control.controller;

/** When an instance last read entries of the control log that are older than itself. */
public final class LogCatchUp {
  /** Quiet time after which a log counts as read to its end, following a start or a crash. */
  static final long QUIET_MILLIS = 250;

  private long oldReadMillis;

  void readOld(long now) {
    oldReadMillis = now;
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
    return until == 0 ? 0 : Math.max(until, oldReadMillis + QUIET_MILLIS);
  }
}
