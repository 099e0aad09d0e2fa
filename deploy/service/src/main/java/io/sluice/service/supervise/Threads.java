package io.sluice.service.supervise;

import java.time.Duration;

/** Ends threads of this process. */
public final class Threads {
  private Threads() {}

  /** Interrupts a thread and waits for its end, for so long at most. */
  public static void end(Thread thread, Duration patience) {
    thread.interrupt();
    try {
      thread.join(patience.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
