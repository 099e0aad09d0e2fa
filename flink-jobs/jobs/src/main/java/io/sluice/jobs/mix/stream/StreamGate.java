package io.sluice.jobs.mix.stream;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of a run that the sink has taken and the broker does not have yet. The source looks at it
 * before it emits more, so that a run whose topic is slow fills its own share of the sink's buffer
 * and no other's; and before a checkpoint, which has the run where everything was delivered. Source
 * and sink share it because they are chained; where they are not, records carry a gate that is
 * always open, and that nobody looks at.
 */
public final class StreamGate {
  private final AtomicLong unsent = new AtomicLong();
  private final Runnable drained;
  private final boolean watched;
  private volatile boolean held;
  private volatile boolean lost;

  /**
   * A gate through which nothing has passed.
   *
   * @param drained is run, from any thread, when bytes have left that the source waited for, or
   *     were lost
   */
  public StreamGate(Runnable drained) {
    this(drained, true);
  }

  private StreamGate(Runnable drained, boolean watched) {
    this.drained = drained;
    this.watched = watched;
  }

  /** A gate that nobody looks at. */
  static StreamGate unwatched() {
    return new StreamGate(() -> {}, false);
  }

  /** Whether the source looks at it, and emits again what was lost. */
  boolean isWatched() {
    return watched;
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

  /** Whether the broker has everything that has passed; if not, the source hears when it has. */
  public boolean isDelivered() {
    held = true;
    return unsent.get() == 0 && !lost;
  }

  /** Whether the broker did not take something that has passed: it must be emitted again. */
  public boolean hasLost() {
    return lost;
  }

  /** Says so before the bytes leave, or a checkpoint would count them as delivered. */
  void lose() {
    lost = true;
    drained.run();
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
