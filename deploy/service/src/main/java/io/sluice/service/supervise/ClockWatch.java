package io.sluice.service.supervise;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Ends a process whose wall clock was set back. Kafka's clients wait by that clock: what they were
 * about to send or to ask again would wait for as long as it was set back.
 */
public final class ClockWatch {
  /** What everybody who waits may wait longer. */
  private static final Duration BORNE = Duration.ofSeconds(10);

  private static final long BETWEEN_LOOKS_MILLIS = 500;

  private final LongSupplier wallMillis;
  private final LongSupplier nanos;
  private long wall;
  private long even;

  ClockWatch(LongSupplier wallMillis, LongSupplier nanos) {
    this.wallMillis = wallMillis;
    this.nanos = nanos;
    setBack();
  }

  /** By how much the wall clock was set back since the last look; not positive if it was not. */
  Duration setBack() {
    long wallBefore = wall;
    long evenBefore = even;
    wall = wallMillis.getAsLong();
    even = nanos.getAsLong();
    return Duration.ofNanos(even - evenBefore).minusMillis(wall - wallBefore);
  }

  /** Ends this process, without any shutdown, when its clock is set back by more than is borne. */
  public static void endIfSetBack() {
    ClockWatch watch = new ClockWatch(System::currentTimeMillis, System::nanoTime);
    Thread thread = new Thread(watch::look, "clock-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private void look() {
    try {
      Duration back = setBack();
      while (back.compareTo(BORNE) <= 0) {
        TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
        back = setBack();
      }
      System.out.println(
          "this process ends, to be started again: its clock was set back by "
              + back.toSeconds()
              + " s, and it would wait as long");
      Runtime.getRuntime().halt(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
