package io.sluice.client.wait;

import io.sluice.client.run.ExposedTime;
import io.sluice.client.run.WaitCause;
import java.util.Map;

/** Adds up the time of the steps, and what of it was waited for data. Thread-safe. */
public final class StepClock {
  private ExposedTime exposed = ExposedTime.NONE;
  private boolean began;
  private long last;

  /** The next batch is the first of a stretch: its step is not counted. */
  public synchronized void begin() {
    began = false;
  }

  /**
   * A batch was handed out.
   *
   * @param asked when the loop asked for it, of {@link System#nanoTime}
   * @param taken when it got it
   * @param marks what the time was spent with in which it was read
   */
  public synchronized void add(long asked, long taken, WaitMarks marks) {
    if (began) {
      exposed = exposed.plus(new ExposedTime(taken - last, marks.between(asked, taken)));
    }
    began = true;
    last = taken;
  }

  /** The steps until the last batch. */
  public synchronized ExposedTime exposed() {
    return exposed;
  }

  /**
   * The steps until now, with one that waits.
   *
   * @param asked when its loop asked for the batch that has not come
   * @param now the time
   * @param cause what it waits for
   */
  public synchronized ExposedTime waiting(long asked, long now, WaitCause cause) {
    return began ? exposed.plus(new ExposedTime(now - last, Map.of(cause, now - asked))) : exposed;
  }
}
