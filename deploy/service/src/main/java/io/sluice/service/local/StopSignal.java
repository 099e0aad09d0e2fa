package io.sluice.service.local;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Makes the end of the process by a signal an orderly one: the thread that made this is
 * interrupted, and the process ends only when that thread has closed this, or a time has passed.
 */
public final class StopSignal implements AutoCloseable {
  private final Thread working = Thread.currentThread();
  private final CountDownLatch done = new CountDownLatch(1);
  private final Duration patience;
  private final BooleanSupplier stopsByItself;
  private volatile boolean given;
  private final Thread hook = new Thread(this::stopAndWait, "sluice-stop");

  /**
   * A signal that is not installed.
   *
   * @param patience how long the process waits for this to be closed
   * @param stopsByItself whether the thread needs no interrupt from this to stop
   */
  public StopSignal(Duration patience, BooleanSupplier stopsByItself) {
    this.patience = patience;
    this.stopsByItself = stopsByItself;
  }

  /** Installs it for the current thread. */
  public static StopSignal install(Duration patience) {
    return install(patience, () -> false);
  }

  /** The same for a thread that stops by itself from some time on. */
  public static StopSignal install(Duration patience, BooleanSupplier stopsByItself) {
    StopSignal signal = new StopSignal(patience, stopsByItself);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** Whether the process has been told to end. */
  public boolean isGiven() {
    return given;
  }

  /** Lets the process end. */
  @Override
  public void close() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook is running and need not wait any more.
    }
  }

  /** What is done when the process is to end. */
  public void stopAndWait() {
    given = true;
    if (!stopsByItself.getAsBoolean()) {
      working.interrupt();
    }
    try {
      if (!done.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println("sluice: did not stop within " + patience.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
