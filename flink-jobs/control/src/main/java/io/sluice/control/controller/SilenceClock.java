package io.sluice.control.controller;

/** How long ago trainers' progress last changed, as far as this instance has seen. Not kept. */
final class SilenceClock {
  private long progress = -1;
  private long sinceMillis;

  long millis(long seen, long now) {
    if (seen != progress) {
      progress = seen;
      sinceMillis = now;
    }
    return now - sinceMillis;
  }
}
