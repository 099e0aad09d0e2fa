package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.range.FileRange;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.record.RecordCursor;
import io.sluice.corpus.record.RecordDocuments;
import io.sluice.corpus.record.RecordReading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lines or rows of a file, by reference. Until one of them is a document they are looked at:
 * nothing is written of a file that may be another than it was taken for.
 */
final class FileRanges {
  private final SourceFile source;
  private final RecordReading reading;
  private final FilePassage passage;
  private final Tally tally;
  private final RecordDocuments documents;
  private final List<FileRange> unwritten = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();
  private boolean usable;
  private OpenRange open;
  private long place;
  private long empty;

  /** A record among the first that is no document. */
  @SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
  private record Refusal(long number, String reason, byte[] payload) {}

  FileRanges(SourceFile source, RecordReading reading, FilePassage passage, Tally tally) {
    this.source = source;
    this.reading = reading;
    this.passage = passage;
    this.tally = tally;
    this.documents = new RecordDocuments(reading, Optional.empty(), source.id(), source.origin());
    this.usable = passage.records() > 0;
    this.open = new OpenRange(source, reading, 0, 0);
  }

  void read(RecordCursor cursor) throws IOException, RefusedException {
    try {
      for (FileRecord next = cursor.next(); next != null; next = cursor.next()) {
        long bytes = reading.isLines() ? cursor.place() - place : next.bytes();
        take(next, bytes);
        place = cursor.place();
        if (!usable && next.number() == FileRecords.HOPELESS) {
          usable = refusals.size() < FileRecords.HOPELESS;
          if (!usable) {
            refuse();
            tally.giveUp(
                source.origin(), FileRecords.HOPELESS + 1, FileRecords.hopeless(reading.format()));
            return;
          }
        }
      }
    } finally {
      // What came before an error of the file is used.
      end();
    }
  }

  private void take(FileRecord next, long bytes) throws RefusedException {
    if (!usable && isDocument(next)) {
      usable = true;
      write(next.number() - 1);
    } else if (open.isFull(bytes)) {
      write(next.number() - 1);
    }
    // The passage is asked last: what it knows of may be said to be there with the next writing.
    if (passage.isNew(next)) {
      open.add(next, bytes);
    } else {
      tally.skipKnown();
      open = new OpenRange(source, reading, next.number(), place + bytes);
    }
  }

  private boolean isDocument(FileRecord next) {
    try {
      boolean there = documents.of(next).isPresent();
      empty += there ? 0 : 1;
      return there;
    } catch (RefusedException e) {
      refusals.add(new Refusal(next.number(), String.valueOf(e.getMessage()), next.payload()));
      return false;
    }
  }

  /** Closes the open range, and writes what is closed if the file can be used. */
  private void write(long passed) {
    if (!open.isEmpty()) {
      unwritten.add(open.closed());
      open = new OpenRange(source, reading, passed, place);
    }
    if (usable && !unwritten.isEmpty()) {
      tally.ranges(List.copyOf(unwritten));
      unwritten.clear();
    }
  }

  private void end() {
    if (usable) {
      write(0);
    } else {
      refuse();
      for (long each = 0; each < empty; each++) {
        tally.skipEmpty();
      }
    }
  }

  private void refuse() {
    refusals.forEach(
        refusal ->
            tally.refuse(source.origin(), refusal.number(), refusal.reason(), refusal.payload()));
    refusals.clear();
    empty = 0;
  }
}
