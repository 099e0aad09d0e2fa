package io.sluice.lab.chaos.history;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * The time that all processes of this machine agree on, whatever their wall clocks say: the time
 * since the machine started, which no process can be told otherwise, and what the wall clock of one
 * of them said when that was 0.
 *
 * @param zeroMillis that, in milliseconds since 1970
 */
public record MachineClock(long zeroMillis) implements InstantSource {
  /** One that agrees with the wall clock now. */
  public static MachineClock of(InstantSource wall) {
    return new MachineClock(wall.millis() - sinceStart());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    return zeroMillis + sinceStart();
  }

  private static long sinceStart() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
