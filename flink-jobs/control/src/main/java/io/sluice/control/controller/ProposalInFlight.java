package io.sluice.control.controller;

/**
 * The proposal that has been sent and not been read back. Never restored: a proposal lost in a
 * crash would be awaited for ever.
 */
final class ProposalInFlight {
  private static final long RETRY_MILLIS = 5_000;
  private static final long NONE = -1;

  private long serial = NONE;
  private long sentMillis;
  private int sends;

  /** It ends when the log shows its serial, whoever wrote that. */
  void follow(long currentSerial) {
    if (serial <= currentSerial) {
      serial = NONE;
      sends = 0;
    }
  }

  void sent(long sentSerial, long now) {
    sends = sentSerial == serial ? sends + 1 : 1;
    serial = sentSerial;
    sentMillis = now;
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
