package io.sluice.client.stream;

import io.sluice.client.run.ExposedTime;

/** Adds up the time of the steps, and what of it was waited for data. One thread adds. */
final class StepClock {
  private volatile ExposedTime exposed = ExposedTime.NONE;
  private boolean began;
  private long last;

  /** The next batch is the first of a stretch: its step is not counted. */
  void begin() {
    began = false;
  }

  /**
   * A batch was handed out.
   *
   * @param asked when the loop asked for it, of {@link System#nanoTime}
   * @param taken when it got it
   * @param marks what the time was spent with in which it was read
   */
  void add(long asked, long taken, WaitMarks marks) {
    if (began) {
      exposed = exposed.plus(new ExposedTime(taken - last, marks.between(asked, taken)));
    }
    began = true;
    last = taken;
  }

  /** The steps until now; any thread may ask. */
  ExposedTime exposed() {
    return exposed;
  }
}
