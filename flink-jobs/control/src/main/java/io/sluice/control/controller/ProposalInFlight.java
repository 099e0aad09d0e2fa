package io.sluice.control.controller;

import io.sluice.mixture.log.InvariantViolatedException;

/**
 * The proposal that has been sent and not been read back. Never restored: a proposal lost in a
 * crash would be awaited for ever.
 */
final class ProposalInFlight {
  private static final long RETRY_MILLIS = 5_000;
  private static final long NONE = -1;
  private static final long NEVER = Long.MAX_VALUE;

  private long current = NONE;
  private long serial = NONE;
  private long sentMillis;
  private int sends;
  private long withdrawnMillis = NEVER;

  /** It ends when the log shows its serial, whoever wrote that. */
  void follow(long currentSerial) {
    current = currentSerial;
    if (serial <= currentSerial) {
      giveUp();
    }
  }

  /** The log is another one from here on. */
  void restart(long currentSerial) {
    serial = NONE;
    follow(currentSerial);
  }

  /**
   * Notes that an entry is sent.
   *
   * @throws InvariantViolatedException if it could not be the next one
   */
  void sent(long sentSerial, long now) {
    if (sentSerial != current + 1) {
      throw new InvariantViolatedException("serial of a proposal", current + 1, sentSerial);
    }
    sends = sentSerial == serial ? sends + 1 : 1;
    serial = sentSerial;
    sentMillis = now;
  }

  private void giveUp() {
    serial = NONE;
    sends = 0;
  }

  /**
   * Notes whether the run is wanted no more before its log has begun, as far as that is read: its
   * start is awaited no more then, though the log may still come to show it.
   */
  void withdraw(boolean withdrawn, long now) {
    withdrawnMillis = withdrawn ? Math.min(withdrawnMillis, now) : NEVER;
    if (withdrawn && current == NONE) {
      giveUp();
    }
  }

  /** Whether the run is withdrawn. */
  boolean isWithdrawn() {
    return withdrawnMillis != NEVER;
  }

  /**
   * Whether the log of a withdrawn run, and a start that was sent to it, would have been read.
   *
   * @param readMillis when the log can be thought read
   */
  boolean isOver(long readMillis, long now) {
    return isWithdrawn()
        && now >= Math.max(readMillis, withdrawnMillis + RunController.UNKNOWN_MILLIS);
  }

  boolean awaited(long now) {
    return serial != NONE && now < dueMillis();
  }

  /** When it is to be sent again. */
  long dueMillis() {
    return serial == NONE ? Long.MAX_VALUE : sentMillis + RETRY_MILLIS;
  }

  /** What is waited for; '' while that is nothing unusual. */
  String waiting() {
    return sends < 2
        ? ""
        : "control log: entry " + serial + " was sent " + sends + " times and not read back";
  }
}
