package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.range.FileRange;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.Document;
import io.sluice.schema.TokenDocument;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Passes documents and refusals on to a sink and counts them. */
final class Tally {
  private static final int REFUSALS_KEPT = 5;
  private static final int NO_PARTITION = -1;

  private final DocumentSink sink;
  private final InstantSource clock;
  private final IngestListener listener;
  private final List<String> firstRefusals = new ArrayList<>();
  private long documents;
  private long bytes;
  private long files;
  private long deadLetters;
  private long skippedBinary;
  private long skippedOther;
  private long skippedEmpty;
  private long ofOthers;
  private long givenUp;
  private long known;
  private long referred;
  private long ranges;

  Tally(DocumentSink sink, InstantSource clock, IngestListener listener) {
    this.sink = sink;
    this.clock = clock;
    this.listener = listener;
  }

  void file() {
    files++;
  }

  void skipBinary() {
    skippedBinary++;
  }

  void skipOther() {
    skippedOther++;
  }

  void skipEmpty() {
    skippedEmpty++;
  }

  /**
   * Passes over a record of which another domain tells.
   *
   * @param document whether it is a document of that
   */
  void skipOthers(boolean document) {
    ofOthers++;
    if (document) {
      sink.anothers();
    }
  }

  /** Writes a document. */
  void take(Document document, byte[] encoded, long textBytes) {
    documents++;
    bytes += textBytes;
    sink.document(document, encoded);
    listener.document();
  }

  /** Writes a document of token ids. */
  void tokens(TokenDocument document) {
    documents++;
    bytes += document.getTokens().remaining();
    sink.tokens(document);
    listener.document();
  }

  /** Writes documents by reference; which of their records are documents, nobody knows yet. */
  void ranges(List<FileRange> closed) {
    for (FileRange each : closed) {
      ranges++;
      referred += each.records();
      documents += each.records();
      bytes += each.bytes();
    }
    sink.ranges(closed);
  }

  /** Whether any document was written. */
  boolean wroteAny() {
    return documents > 0;
  }

  /** Passes over records that were ingested before. */
  void skipKnown(long count) {
    known += count;
  }

  /** Passes over a record of a file that was ingested before. */
  void skipKnown() {
    known++;
  }

  /** Whether anything of a file may be there already. */
  boolean mayKnow(SourceFile source) {
    return sink.mayKnow(source);
  }

  /** What of a file is there already. */
  FilePassage passage(SourceFile source) throws RefusedException {
    return sink.file(source);
  }

  /** How many files and lines were refused so far. */
  long refused() {
    return deadLetters;
  }

  /** A file is not read on: what is left of it is not known. */
  void giveUp(String origin, long line, String reason) {
    givenUp++;
    refuse(origin, line, reason, new byte[0]);
  }

  /** The same of what cannot be read where it is, which is told once. */
  void unread(SourceFile source, String reason) {
    if (sink.mustTell(source, reason)) {
      giveUp(source.origin(), 0, reason);
    } else {
      givenUp++;
      keep(source.origin() + ": " + reason);
    }
  }

  private void keep(String refusal) {
    if (firstRefusals.size() < REFUSALS_KEPT) {
      firstRefusals.add(refusal);
    }
  }

  /** Writes a dead letter with the beginning of what was refused. */
  void refuse(String origin, long position, String reason, byte[] payload) {
    refuse(origin, NO_PARTITION, position, reason, payload);
  }

  /** The same of a record of a topic's partition. */
  void refuse(String origin, int partition, long position, String reason, byte[] payload) {
    deadLetters++;
    String place =
        partition >= 0
            ? origin + "-" + partition + "@" + position
            : position == 0 ? origin : origin + ":" + position;
    keep(place + ": " + reason);
    sink.deadLetter(
        DeadLetters.of("ingest", origin, partition, position, reason, payload, clock.millis()));
  }

  IngestReport report(long skippedHidden, long skippedIgnored) {
    return new IngestReport(
        documents,
        bytes,
        files,
        deadLetters,
        skippedHidden,
        skippedIgnored + skippedOther,
        skippedBinary,
        skippedEmpty,
        ofOthers,
        known,
        givenUp,
        referred,
        ranges,
        false,
        firstRefusals);
  }
}
