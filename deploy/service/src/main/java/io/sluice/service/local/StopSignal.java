package io.sluice.service.local;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Makes the end of the process by a signal an orderly one: the thread that installed this is
 * interrupted, and the process ends only when that thread has closed this, or a time has passed.
 */
public final class StopSignal implements AutoCloseable {
  private final Thread working;
  private final Duration patience;
  private final CountDownLatch done = new CountDownLatch(1);

  private StopSignal(Thread working, Duration patience) {
    this.working = working;
    this.patience = patience;
  }

  /**
   * Installs it for the current thread.
   *
   * @param patience how long the process waits for this to be closed
   */
  public static StopSignal install(Duration patience) {
    StopSignal signal = new StopSignal(Thread.currentThread(), patience);
    Runtime.getRuntime().addShutdownHook(new Thread(signal::stopAndWait, "sluice-stop"));
    return signal;
  }

  /** Lets the process end. */
  @Override
  public void close() {
    done.countDown();
  }

  private void stopAndWait() {
    if (done.getCount() == 0) {
      return;
    }
    working.interrupt();
    try {
      if (!done.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println("sluice: did not stop within " + patience.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
