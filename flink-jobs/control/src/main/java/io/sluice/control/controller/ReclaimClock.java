package io.sluice.control.controller;

import io.sluice.mixture.log.RunPhase;
import java.util.Optional;

/**
 * When a run's stream is cut, and where. Not kept: what is asked for again after a crash is done
 * already.
 */
final class ReclaimClock {
  /** Cutting more often would only cost the broker. */
  static final long INTERVAL_MILLIS = 10_000;

  private long reclaimed;
  private long lastMillis = -INTERVAL_MILLIS;

  /**
   * What is to be reclaimed now.
   *
   * @param log of the run
   * @param oldestCheckpoint batch of the oldest checkpoint that any rank keeps; −1 while some rank
   *     has named none
   */
  Optional<RunEffect.Reclaim> due(PersistedRun log, long oldestCheckpoint, long now) {
    long before = oldestCheckpoint + 1;
    boolean wanted =
        log.spec().getReclaim().equals("checkpoint")
            && !log.streamTopicId().isEmpty()
            && log.state().phase() != RunPhase.DELETED;
    if (!wanted
        || oldestCheckpoint < 1
        || before <= reclaimed
        || now < lastMillis + INTERVAL_MILLIS) {
      return Optional.empty();
    }
    reclaimed = before;
    lastMillis = now;
    return Optional.of(
        new RunEffect.Reclaim(
            log.state().position().runId(), log.spec().getRun(), log.streamTopicId(), before));
  }

  /** Checkpoints of a timeline that was rewound count no more. */
  void rewind() {
    reclaimed = 0;
  }
}
