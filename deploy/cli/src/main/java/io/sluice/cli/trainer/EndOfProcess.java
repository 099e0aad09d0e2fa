package io.sluice.cli.trainer;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds the end of the process by a signal back until the last line is printed, or for a while. */
final class EndOfProcess implements AutoCloseable {
  private final CountDownLatch printed = new CountDownLatch(1);
  private final Duration patience;
  private final Thread hook = new Thread(this::await, "sluice-trainer-end");

  private EndOfProcess(Duration patience) {
    this.patience = patience;
  }

  /** Holds it back from now until this is closed. */
  static EndOfProcess holdBack(Duration patience) {
    EndOfProcess end = new EndOfProcess(patience);
    Runtime.getRuntime().addShutdownHook(end.hook);
    return end;
  }

  private void await() {
    try {
      printed.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    printed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook is running and need not wait any more.
    }
  }
}
