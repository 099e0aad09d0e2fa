package io.sluice.jobs.prepare.read;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.flink.util.ExceptionUtils;

/**
 * Work that is done on several threads at once, and whose results leave in the order in which it
 * came. All but the work itself happens on one thread, the owner's. A failure of the work is the
 * owner's when its turn comes.
 *
 * @param <R> what a piece of work comes to
 */
final class OrderedWork<R> implements AutoCloseable {
  private final Queue<Piece> pieces = new ArrayDeque<>();
  private final AtomicBoolean told = new AtomicBoolean();
  private final ExecutorService threads;
  private final long mostBytes;
  private final Consumer<R> out;
  private final Runnable wake;
  private long bytes;

  /**
   * Work of nobody yet.
   *
   * @param threads that do the work, at least 1
   * @param mostBytes of work that wait or are done and have not left; a single piece may have more
   * @param out takes the results, on the owner's thread
   * @param wake called on a thread of the work once a result is there: the owner shall call {@link
   *     #emit}; not called again before it has
   */
  OrderedWork(int threads, long mostBytes, Consumer<R> out, Runnable wake) {
    this.mostBytes = mostBytes;
    this.out = out;
    this.wake = wake;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            threads,
            work -> {
              Thread thread = new Thread(work, "sluice-tokenize-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Adds a piece of work, and waits until there is room for it. */
  void add(Callable<R> work, long size) throws InterruptedException {
    while (!pieces.isEmpty() && bytes + size > mostBytes) {
      emitFirst();
    }
    Piece piece = new Piece(work, size);
    bytes += size;
    pieces.add(piece);
    threads.execute(piece);
    emit();
  }

  /** Hands on what is done and whose turn it is. */
  void emit() throws InterruptedException {
    told.set(false);
    while (!pieces.isEmpty() && pieces.element().isDone()) {
      emitFirst();
    }
  }

  /** Waits for all work and hands it on. */
  void drain() throws InterruptedException {
    while (!pieces.isEmpty()) {
      emitFirst();
    }
  }

  /** Drops what has not begun, and waits for what has: the work may use what is closed next. */
  @Override
  public void close() {
    threads.shutdownNow();
    boolean interrupted = Thread.interrupted();
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void emitFirst() throws InterruptedException {
    Piece first = pieces.element();
    try {
      R result = first.get();
      pieces.remove();
      bytes -= first.size;
      out.accept(result);
    } catch (ExecutionException e) {
      ExceptionUtils.rethrow(e.getCause());
    }
  }

  private final class Piece extends FutureTask<R> {
    private final long size;

    Piece(Callable<R> work, long size) {
      super(work);
      this.size = size;
    }

    @Override
    protected void done() {
      if (!told.getAndSet(true)) {
        wake.run();
      }
    }
  }
}
