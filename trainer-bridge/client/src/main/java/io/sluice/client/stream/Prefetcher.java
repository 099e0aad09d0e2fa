package io.sluice.client.stream;

import io.sluice.client.block.Sequence;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.wait.WaitMarks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * A thread that takes batches from a reader ahead of the trainer, within a budget of bytes; at
 * least one is kept ready. An error of the reader is handed out after the batches before it.
 */
final class Prefetcher implements AutoCloseable {
  static final String READING = "the stream is being read";

  private final BatchReader reader;
  private final long budget;
  private final Duration statusInterval;
  private final Deque<Fetched> ready = new ArrayDeque<>();
  private long readyBytes;
  private @Nullable Throwable error;
  private @Nullable StreamStalledException stall;
  private @Nullable Thread thread;
  private volatile boolean stopping;
  private boolean closed;

  /**
   * A batch that is there.
   *
   * @param marks what its reading was spent with
   */
  record Fetched(GlobalBatch batch, WaitMarks marks) {
    long bytes() {
      return batch.sequences().stream().mapToLong(Sequence::encodedBytes).sum();
    }
  }

  /** A prefetcher that has not started. */
  Prefetcher(BatchReader reader, long budget, Duration statusInterval) {
    this.reader = reader;
    this.budget = budget;
    this.statusInterval = statusInterval;
  }

  /** Reads on from where the reader is. */
  synchronized void start() {
    if (closed) {
      throw new IllegalStateException("the stream is closed");
    }
    stopping = false;
    Thread started = new Thread(this::run, "sluice-fetch");
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  /**
   * The next batch; waits for it.
   *
   * @param guard asked about once a second while it waits; may throw
   * @throws InterruptException if the calling thread is interrupted
   */
  synchronized Fetched next(Duration timeout, Runnable guard) {
    if (closed) {
      throw new IllegalStateException("the stream is closed");
    }
    long deadline = System.nanoTime() + timeout.toNanos();
    while (ready.isEmpty()) {
      reader.awaited(true);
      guard.run();
      throwError();
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw stall != null ? stall.after(timeout) : reader.stalled(timeout, READING);
      }
      await(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
    }
    reader.awaited(false);
    Fetched fetched = ready.remove();
    readyBytes -= fetched.bytes();
    notifyAll();
    return fetched;
  }

  private void throwError() {
    if (error instanceof Error grave) {
      throw grave;
    }
    if (error instanceof RuntimeException known) {
      throw known;
    }
  }

  private void await(long nanos) {
    try {
      TimeUnit.NANOSECONDS.timedWait(this, nanos);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** Why the batch that is awaited is not there. */
  synchronized String waitsFor() {
    return stall == null ? READING : stall.status();
  }

  private void run() {
    try {
      while (awaitRoom()) {
        fetch();
      }
    } catch (RuntimeException | Error e) {
      // Out of memory, too, is for the training loop to hear of: the thread has no other witness.
      synchronized (this) {
        if (!stopping) {
          error = e;
        }
        notifyAll();
      }
    } catch (InterruptedException e) {
      // Asked to stop.
    } finally {
      // What is called next on this thread's consumers comes from another thread.
      Thread.interrupted();
    }
  }

  /** Waits until another batch may be kept, reading the control log meanwhile. */
  private boolean awaitRoom() throws InterruptedException {
    while (!stopping) {
      synchronized (this) {
        if (ready.isEmpty() || readyBytes < budget) {
          return true;
        }
        TimeUnit.NANOSECONDS.timedWait(this, statusInterval.toNanos());
        if (ready.isEmpty() || readyBytes < budget) {
          return true;
        }
      }
      reader.follow();
    }
    return false;
  }

  private void fetch() {
    try {
      GlobalBatch batch = reader.next(statusInterval);
      Fetched fetched = new Fetched(batch, reader.takeMarks());
      synchronized (this) {
        stall = null;
        ready.add(fetched);
        readyBytes += fetched.bytes();
        notifyAll();
      }
    } catch (StreamStalledException e) {
      synchronized (this) {
        stall = e;
        notifyAll();
      }
    }
  }

  /** Stops, and forgets what is ready; the reader may be used by the calling thread then. */
  void stop() {
    Thread running;
    synchronized (this) {
      stopping = true;
      running = thread;
      thread = null;
      notifyAll();
    }
    if (running != null) {
      running.interrupt();
      join(running);
    }
    synchronized (this) {
      ready.clear();
      readyBytes = 0;
      error = null;
      stall = null;
    }
  }

  /** An interrupt of the calling thread waits until the fetching one has let go of the reader. */
  private static void join(Thread running) {
    boolean interrupted = false;
    while (running.isAlive()) {
      try {
        running.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    stop();
    boolean interrupted = Thread.interrupted();
    reader.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
