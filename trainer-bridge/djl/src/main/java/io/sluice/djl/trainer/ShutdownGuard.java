package io.sluice.djl.trainer;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the process from ending under a training: when the JVM shuts down, the guarded thread is
 * interrupted and awaited.
 *
 * <p>PyTorch's global objects are destroyed as the process exits, whatever other threads do; one
 * that is still inside an operation then crashes the process.
 */
final class ShutdownGuard implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Thread guarded = Thread.currentThread();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "end training");

  /**
   * Guards this thread until the guard is closed.
   *
   * @throws InterruptedException if the JVM is shutting down already
   */
  static ShutdownGuard open() throws InterruptedException {
    ShutdownGuard guard = new ShutdownGuard();
    try {
      Runtime.getRuntime().addShutdownHook(guard.hook);
    } catch (IllegalStateException e) {
      InterruptedException ending = new InterruptedException("the process is ending");
      ending.initCause(e);
      throw ending;
    }
    return guard;
  }

  /** Interrupts the guarded thread and waits until it closes the guard, at most 30 seconds. */
  void stop() {
    guarded.interrupt();
    try {
      closed.await(GRACE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // The hook is running and need not wait any more.
    }
  }
}
