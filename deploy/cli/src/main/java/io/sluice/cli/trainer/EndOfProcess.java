package io.sluice.cli.trainer;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Holds the end of the process by a signal back until the last line is printed, or for a while.
 *
 * <p>A training that is under way is interrupted by the trainer itself, one that is being set up by
 * this: it may be waiting for held-out blocks.
 */
final class EndOfProcess implements AutoCloseable {
  private final CountDownLatch printed = new CountDownLatch(1);
  private final Thread working = Thread.currentThread();
  private final Duration patience;
  private final BooleanSupplier underWay;
  private final Thread hook = new Thread(this::stopAndWait, "sluice-trainer-end");

  EndOfProcess(Duration patience, BooleanSupplier underWay) {
    this.patience = patience;
    this.underWay = underWay;
  }

  /**
   * Holds it back from now until this is closed, for a training in this thread.
   *
   * @param underWay whether the training has begun
   */
  static EndOfProcess holdBack(Duration patience, BooleanSupplier underWay) {
    EndOfProcess end = new EndOfProcess(patience, underWay);
    Runtime.getRuntime().addShutdownHook(end.hook);
    return end;
  }

  void stopAndWait() {
    if (!underWay.getAsBoolean()) {
      working.interrupt();
    }
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
