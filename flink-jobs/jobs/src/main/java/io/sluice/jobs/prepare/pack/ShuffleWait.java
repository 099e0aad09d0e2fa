package io.sluice.jobs.prepare.pack;

import io.sluice.schema.DatasetSpec;

/**
 * When a domain's shuffle buffer lets its documents go by time. The time runs while documents wait.
 * Once it is over they go, unless as many as the buffer holds came meanwhile: then the buffer is
 * turned over by itself, and the time begins anew. So a document waits at most for two of these
 * times where fewer come than the buffer holds, and for one where all had gone before.
 */
final class ShuffleWait {
  /** A clock that says when a time is over. */
  interface Timer {
    /**
     * Asks to be told once so many milliseconds have passed.
     *
     * @return when that is, as it will be told
     */
    long after(long millis);
  }

  private final long millis;
  private final int capacity;
  private final DomainPacking packing;
  private final Timer timer;
  private boolean runs;
  private long until;
  private long enteredBefore;

  /**
   * @param packing where it stands; when documents wait there, a time is taken to run that an
   *     earlier execution has asked for
   */
  ShuffleWait(DatasetSpec spec, DomainPacking packing, Timer timer) {
    this.millis = spec.getShuffleWaitMillis();
    this.capacity = spec.getShuffleBuffer();
    this.packing = packing;
    this.timer = timer;
    runs = packing.waiting() > 0;
    enteredBefore = packing.entered();
  }

  /** Lets the time begin where documents wait and none runs; call after each of the events. */
  void begin() {
    if (millis > 0 && !runs && packing.waiting() > 0) {
      runs = true;
      enteredBefore = packing.entered();
      until = timer.after(millis);
    }
  }

  /**
   * The time may be over.
   *
   * @param asked what {@link Timer#after} gave, now or in an earlier execution
   * @return whether documents went
   */
  boolean over(long asked) {
    if (asked < until) {
      return false;
    }
    runs = false;
    boolean released = packing.entered() - enteredBefore < capacity && packing.release();
    begin();
    return released;
  }
}
