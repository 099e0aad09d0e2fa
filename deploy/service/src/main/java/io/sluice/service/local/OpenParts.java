package io.sluice.service.local;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a service has opened, closed in the opposite order. */
public final class OpenParts implements AutoCloseable {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /** Adds a part and returns it. */
  public <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  /** Closes every part, whatever the others do. */
  @Override
  public void close() {
    RuntimeException failure = null;
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        failure = failure == null ? new IllegalStateException("a part does not stop", e) : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Closes all, in order though the thread is interrupted: that asks for the end, not for haste.
   */
  public void closeThoughInterrupted() {
    boolean interrupted = Thread.interrupted();
    close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
