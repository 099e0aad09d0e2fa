package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.control.line.Utf8;
import io.sluice.control.work.OrderedWork;
import io.sluice.schema.Document;
import io.sluice.schema.WireCodec;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Makes documents on several threads. What came of each is counted and written in the order in
 * which it was added, on the thread that adds: all that is done with a document after it is made.
 */
final class DocumentWork implements AutoCloseable {
  /** Bytes of records that a thread takes at once: some hundred lines. */
  private static final long PIECE_BYTES = 256L << 10;

  /** Bytes of records at work; their documents take about four times as much. */
  private static final long BYTES_AT_WORK = 16L << 20;

  /** What a record takes beside its bytes. */
  private static final long RECORD_BYTES = 512;

  private final Tally tally;
  private final OrderedWork<Runnable> work;

  /** Makes a document of a record, or finds none in it. */
  @FunctionalInterface
  interface Maker {
    Optional<Document> make() throws RefusedException;
  }

  /** Work whose documents a tally takes. */
  DocumentWork(int threads, Tally tally) {
    this.tally = tally;
    this.work =
        new OrderedWork<>(
            "sluice-ingest", threads, PIECE_BYTES, BYTES_AT_WORK, Runnable::run, () -> {});
  }

  /**
   * Adds work, and waits until there is room for it.
   *
   * @param reading what is done on any thread; what it gives, on this one
   * @param bytes of what it holds
   */
  void add(Callable<Runnable> reading, long bytes) {
    uninterrupted(() -> work.add(reading, bytes + RECORD_BYTES));
  }

  /** Waits for all that was added, and takes it. */
  void drain() {
    uninterrupted(work::drain);
  }

  /**
   * Makes a document, on any thread.
   *
   * @param payload what a dead letter shows of a record that is none
   * @return what takes it, or its refusal
   */
  Runnable made(String origin, long position, byte[] payload, Maker maker) {
    return made(maker, reason -> tally.refuse(origin, position, reason, payload));
  }

  /**
   * The same with a refusal of its own.
   *
   * @param refusal takes the reason
   */
  Runnable made(Maker maker, Consumer<String> refusal) {
    try {
      Optional<Document> made = maker.make();
      if (made.isEmpty()) {
        return tally::skipEmpty;
      }
      Document document = made.get();
      byte[] encoded = WireCodec.encode(document);
      long bytes = Utf8.length(document.getText());
      return () -> tally.take(document, encoded, bytes);
    } catch (RefusedException e) {
      if (e.isOfAnotherDomain()) {
        return () -> tally.skipOthers(e.isDocumentOfAnotherDomain());
      }
      return () -> refusal.accept(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void close() {
    work.close();
  }

  private interface Waiting {
    void run() throws InterruptedException;
  }

  private static void uninterrupted(Waiting waiting) {
    try {
      waiting.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the ingest was interrupted", e);
    }
  }
}
