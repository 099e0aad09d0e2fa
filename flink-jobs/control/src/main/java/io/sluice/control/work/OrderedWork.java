package io.sluice.control.work;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Work that is done on several threads at once, and whose results leave in the order in which it
 * came. Work may fork, and is then done by all of the threads. All but the work itself happens on
 * one thread, the owner's. A failure of the work is the owner's when its turn comes.
 *
 * <p>To hand over work costs more than small work itself, so it is gathered into pieces: a piece
 * begins when it is large enough, or when nothing else is at work. So work that comes slowly never
 * waits, and what comes fast is handed over in pieces of the size given.
 *
 * @param <R> what a piece of work comes to
 */
public final class OrderedWork<R> implements AutoCloseable {
  private final Queue<Piece> pieces = new ArrayDeque<>();
  private final long pieceBytes;
  private final AtomicBoolean told = new AtomicBoolean();
  private final ForkJoinPool threads;
  private final long mostBytes;
  private final Consumer<R> out;
  private final Runnable wake;
  private List<Callable<R>> gathered = new ArrayList<>();
  private long gatheredBytes;
  private long bytes;

  /**
   * Work of nobody yet.
   *
   * @param name with which those of the threads begin
   * @param threads that do the work, at least 1
   * @param pieceBytes of work from which on a piece begins although others are at work
   * @param mostBytes of work that wait or are done and have not left; a single piece may have more
   * @param out takes the results, on the owner's thread
   * @param wake called on a thread of the work once a result is there: the owner shall call {@link
   *     #emit}; not called again before it has
   */
  public OrderedWork(
      String name, int threads, long pieceBytes, long mostBytes, Consumer<R> out, Runnable wake) {
    this.pieceBytes = pieceBytes;
    this.mostBytes = mostBytes;
    this.out = out;
    this.wake = wake;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ForkJoinPool(
            threads,
            pool -> {
              ForkJoinWorkerThread thread = new ForkJoinWorkerThread(pool) {};
              thread.setName(name + "-" + number.incrementAndGet());
              return thread;
            },
            null,
            false);
  }

  /** Adds work, and waits until there is room for it. */
  public void add(Callable<R> work, long size) throws InterruptedException {
    while (bytes > 0 && bytes + size > mostBytes) {
      begin();
      emitFirst();
    }
    gathered.add(work);
    gatheredBytes += size;
    bytes += size;
    emit();
  }

  /** Hands on what is done and whose turn it is. */
  public void emit() throws InterruptedException {
    told.set(false);
    while (!pieces.isEmpty() && pieces.element().isDone()) {
      emitFirst();
    }
    if (pieces.isEmpty() || gatheredBytes >= pieceBytes) {
      begin();
    }
  }

  /** Waits for all work and hands it on. */
  public void drain() throws InterruptedException {
    begin();
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

  private void begin() {
    if (gathered.isEmpty()) {
      return;
    }
    Piece piece = new Piece(gathered, gatheredBytes);
    gathered = new ArrayList<>();
    gatheredBytes = 0;
    pieces.add(piece);
    threads.execute(piece);
  }

  private void emitFirst() throws InterruptedException {
    Piece first = pieces.element();
    Throwable failure = null;
    try {
      first.get();
    } catch (ExecutionException e) {
      failure = e.getCause();
    }
    pieces.remove();
    bytes -= first.size;
    first.results.forEach(out);
    if (failure != null) {
      throw OrderedWork.<RuntimeException>asItIs(failure);
    }
  }

  /** Throws whatever the work threw, be it declared or not. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T asItIs(Throwable failure) throws T {
    throw (T) failure;
  }

  /** Work that one thread does, and what of it has come to a result. */
  private final class Piece extends FutureTask<Void> {
    private final List<R> results;
    private final long size;

    Piece(List<Callable<R>> work, long size) {
      this(work, size, new ArrayList<>(work.size()));
    }

    private Piece(List<Callable<R>> work, long size, List<R> results) {
      super(
          () -> {
            for (Callable<R> one : work) {
              results.add(one.call());
            }
            return null;
          });
      this.size = size;
      this.results = results;
    }

    @Override
    protected void done() {
      if (!told.getAndSet(true)) {
        wake.run();
      }
    }
  }
}
