package io.sluice.control.controller;

/** When an instance last read entries of the control log that are older than itself. */
public final class LogCatchUp {
  private long oldReadMillis;

  void readOld(long now) {
    oldReadMillis = now;
  }

  long oldReadMillis() {
    return oldReadMillis;
  }
}
