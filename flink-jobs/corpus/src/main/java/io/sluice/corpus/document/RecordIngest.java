package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.topic.RecordDocuments;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Turns records of a topic into the documents of a domain, in the order in which they are added. A
 * topic whose first {@value FileRecords#HOPELESS} records are all refused is not read on: it is not
 * what it was taken for.
 */
public final class RecordIngest implements AutoCloseable {
  private final String topic;
  private final RecordDocuments documents;
  private final int maxDocument;
  private final Tally tally;
  private final DocumentWork work;
  private boolean mayBeHopeless;

  /**
   * Of a topic of which nothing was read.
   *
   * @param settings how large a document may be
   * @param known whether documents of the topic are in the corpus, so that it is what it is taken
   *     for
   * @param threads that make documents, beside the one that adds
   */
  public RecordIngest(
      String topic,
      RecordDocuments documents,
      IngestSettings settings,
      boolean known,
      DocumentSink sink,
      InstantSource clock,
      IngestListener progress,
      int threads) {
    this.topic = topic;
    this.documents = documents;
    this.maxDocument = settings.maxDocument();
    this.mayBeHopeless = !known;
    this.tally = new Tally(sink, clock, progress);
    this.work = new DocumentWork(threads, tally);
  }

  /** Says that a partition is read, of which so many offsets were taken before. */
  public void partition(long known) {
    tally.file();
    tally.skipKnown(known);
  }

  /**
   * Adds a record.
   *
   * @param value null where it has none, which is nothing
   * @param taken told in its turn, once it was written or refused
   */
  public void add(int partition, long offset, byte @Nullable [] value, Runnable taken) {
    if (value == null) {
      work.add(() -> () -> take(tally::skipEmpty, taken), 0);
      return;
    }
    work.add(
        () -> {
          Runnable made =
              work.made(
                  () -> {
                    if (value.length > maxDocument) {
                      throw new RefusedException(
                          "record has " + value.length + " bytes; the limit is " + maxDocument);
                    }
                    return documents.of(topic + "/" + partition, offset, value);
                  },
                  reason -> tally.refuse(topic, partition, offset, reason, value));
          return () -> take(made, taken);
        },
        value.length);
  }

  /** Says in its turn that records are gone before they were taken. */
  public void lost(int partition, long from, long to) {
    drain();
    tally.refuse(
        topic,
        partition,
        from,
        "lost: offsets "
            + from
            + " to "
            + (to - 1)
            + ", up to "
            + (to - from)
            + " records, were deleted before they were taken",
        new byte[0]);
  }

  /** Says that a partition cannot be read on. */
  public void giveUp(int partition, long offset, String reason) {
    drain();
    tally.giveUp(topic + "/" + partition, offset, reason);
  }

  /** Waits for all that was added, and writes it. */
  public void drain() {
    work.drain();
  }

  /** Whether the topic's records are of any use, as far as anybody can tell. */
  public boolean isOfUse() {
    return !mayBeHopeless || tally.refused() < FileRecords.HOPELESS;
  }

  /** Whether any document of the topic is in the corpus. */
  public boolean hasDocuments() {
    return !mayBeHopeless;
  }

  /** What was done so far. */
  public IngestReport report() {
    return tally.report(0, 0);
  }

  @Override
  public void close() {
    work.close();
  }

  private void take(Runnable made, Runnable taken) {
    if (!isOfUse()) {
      return;
    }
    made.run();
    taken.run();
    mayBeHopeless &= !tally.wroteAny();
    if (!isOfUse()) {
      tally.giveUp(
          topic,
          0,
          "is not read, since none of its first "
              + FileRecords.HOPELESS
              + " records could be used");
    }
  }
}
