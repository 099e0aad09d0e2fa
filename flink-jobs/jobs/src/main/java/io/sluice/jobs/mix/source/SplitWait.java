package io.sluice.jobs.mix.source;

import java.time.Duration;

/**
 * What a split's next sequence waits for, and since when.
 *
 * @param cause equal causes are one wait
 * @param reason for people: what "waits" is followed by
 * @param granted whether the sequence was granted, so that it is not the controller that waits
 */
record SplitWait(Object cause, String reason, boolean granted, long sinceNanos, long sinceMillis) {
  /** How long it has lasted. */
  Duration lasted(long nowNanos) {
    return Duration.ofNanos(nowNanos - sinceNanos);
  }
}
