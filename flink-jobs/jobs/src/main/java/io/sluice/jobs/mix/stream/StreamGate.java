package io.sluice.jobs.mix.stream;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of a run that the sink has taken and the broker does not have yet. The source looks at it
 * before it emits more, so that a run whose topic is slow fills its own share of the sink's buffer
 * and no other's. Source and sink share it because they are chained; where they are not, records
 * carry a gate that is always open.
 */
public final class StreamGate {
  private final AtomicLong unsent = new AtomicLong();
  private final Runnable drained;
  private volatile boolean held;

  /**
   * A gate through which nothing has passed.
   *
   * @param drained is run, from any thread, when bytes have left that the source waited for
   */
  public StreamGate(Runnable drained) {
    this.drained = drained;
  }

  /** A gate that nobody looks at. */
  static StreamGate unwatched() {
    return new StreamGate(() -> {});
  }

  /**
   * Whether more may be emitted.
   *
   * @param bytes that may be on their way
   */
  public boolean isOpen(long bytes) {
    if (unsent.get() < bytes) {
      held = false;
      return true;
    }
    // Looked at once more: the last of them may have left before it was noted that they are waited
    // for.
    held = true;
    return unsent.get() < bytes;
  }

  void taken(int bytes) {
    unsent.addAndGet(bytes);
  }

  void left(int bytes) {
    unsent.addAndGet(-bytes);
    if (held) {
      drained.run();
    }
  }

  long unsent() {
    return unsent.get();
  }
}
