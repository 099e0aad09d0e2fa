package io.sluice.control.controller;

import io.sluice.mixture.log.RunState;

/**
 * How long this instance has waited for the open round since a trainer reached its step. Not kept:
 * a round that times out is decided by the log, and after a crash the wait begins again.
 */
final class RoundClock {
  private static final long STOPPED = -1;

  private long round = STOPPED;
  private long sinceMillis;

  void start(long openRound, long now) {
    if (round != openRound) {
      round = openRound;
      sinceMillis = now;
    }
  }

  /** Another round of the same number, after the log was revised, is waited for anew. */
  void stop() {
    round = STOPPED;
  }

  long waitedMillis(long openRound, long now) {
    return round == openRound ? now - sinceMillis : 0;
  }

  /** When the open round times out, if that is still to come. */
  long dueMillis(RunState state, long now) {
    long due = sinceMillis + state.settings().timeoutMillis();
    boolean times = state.settings().keepWeightsOnTimeout() && round == state.round();
    return times && due > now ? due : Long.MAX_VALUE;
  }
}
