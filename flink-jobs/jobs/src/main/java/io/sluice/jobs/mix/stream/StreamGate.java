package io.sluice.jobs.mix.stream;

import static io.sluice.jobs.mix.split.StreamReach.UNKNOWN;

import io.sluice.jobs.mix.split.StreamReach;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;

/**
 * Bytes of a run that the sink has taken and the broker does not have yet, and how far the broker's
 * partitions reached when it had them. The source looks at it before it emits more, so that a run
 * whose topic is slow fills its own share of the sink's buffer and no other's; and before a
 * checkpoint, which has the run where everything was delivered. Source and sink share it because
 * they are chained; where they are not, records carry a gate that is always open, and that nobody
 * looks at.
 */
public final class StreamGate {
  private final AtomicLong unsent = new AtomicLong();
  private final Runnable drained;
  private final boolean watched;
  private final AtomicLongArray acknowledged;
  private final AtomicLongArray found;
  private final AtomicLongArray epochs;
  private volatile boolean closed;
  private volatile boolean held;
  private volatile boolean lost;
  private volatile boolean cut;

  /**
   * A gate through which nothing has passed.
   *
   * @param drained is run, from any thread, when bytes that the source waits for left or were lost
   */
  public StreamGate(Runnable drained) {
    this(drained, true, 0);
  }

  /**
   * A gate for what comes after that which a stream held once.
   *
   * @param reach of the stream then
   * @param partitions of the stream
   * @param closed whether nothing passes, and nothing counts as delivered, until it is known that
   *     the stream still holds that
   */
  public StreamGate(Runnable drained, StreamReach reach, int partitions, boolean closed) {
    this(drained, true, partitions);
    for (int p = 0; p < reach.ends().length && p < partitions; p++) {
      acknowledged.set(p, reach.ends()[p]);
      epochs.set(p, reach.epochs()[p]);
    }
    this.closed = closed;
  }

  private StreamGate(Runnable drained, boolean watched, int partitions) {
    this.drained = drained;
    this.watched = watched;
    this.acknowledged = new AtomicLongArray(partitions);
    this.found = new AtomicLongArray(partitions);
    this.epochs =
        new AtomicLongArray(LongStream.generate(() -> UNKNOWN).limit(partitions).toArray());
  }

  /** A gate that nobody looks at. */
  static StreamGate unwatched() {
    return new StreamGate(() -> {}, false, 0);
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
    if (!closed && unsent.get() < bytes) {
      held = false;
      return true;
    }
    // Once more: the last of them may have left before it was noted that they are waited for.
    held = true;
    return !closed && unsent.get() < bytes;
  }

  /** Whether the broker has everything that has passed; if not, the source hears when it has. */
  public boolean isDelivered() {
    held = true;
    return !closed && unsent.get() == 0 && !lost;
  }

  /** Whether nothing may pass before it is known what the stream holds. */
  public boolean isClosed() {
    return closed;
  }

  /** The stream holds what it held. */
  public void open() {
    closed = false;
    drained.run();
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

  /** Whether the broker has lost something that it had. */
  public boolean isCut() {
    return cut;
  }

  /** Likewise, of something that the broker had. */
  public void cut() {
    cut = true;
    lose();
  }

  void taken(int bytes) {
    unsent.addAndGet(bytes);
  }

  /**
   * The broker has a record, at an offset if it is not negative. A writer's records lie in the
   * order in which it sent them: a smaller offset than before says that the broker has lost the end
   * of the partition. Said before the bytes leave.
   */
  void acknowledged(int partition, long offset) {
    if (partition < acknowledged.length() && offset >= 0) {
      if (offset < acknowledged.get(partition)) {
        cut();
      }
      acknowledged.accumulateAndGet(partition, offset + 1, Math::max);
    }
  }

  /** Notes under which leader's epoch a partition reached so far. */
  public void saw(int partition, long end, long epoch) {
    if (epochs.get(partition) == UNKNOWN && acknowledged.get(partition) == 0) {
      found.set(partition, end);
    }
    epochs.set(partition, epoch);
  }

  /** How far the partitions reach at least, unless the brokers have lost something. */
  public StreamReach reach() {
    long[] ends = new long[acknowledged.length()];
    long[] under = new long[ends.length];
    Arrays.setAll(ends, p -> Math.max(acknowledged.get(p), found.get(p)));
    Arrays.setAll(under, epochs::get);
    return new StreamReach(ends, under);
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
