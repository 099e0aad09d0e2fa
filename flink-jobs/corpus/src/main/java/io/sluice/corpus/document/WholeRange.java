package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.record.RecordCursor;
import io.sluice.corpus.record.RecordDocuments;
import io.sluice.corpus.record.RecordReading;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A file that is one document, by reference. */
record WholeRange(SourceFile source, RecordReading reading, FilePassage passage, Tally tally) {
  void read(RecordCursor cursor) throws IOException, RefusedException {
    FileRecord whole = cursor.next();
    if (whole == null || !passage.isNew(whole)) {
      tally.skipKnown();
      return;
    }
    if (Content.isBinary(whole.payload()) && !source.named()) {
      tally.skipBinary();
      return;
    }
    try {
      if (isThere(whole)) {
        OpenRange range = new OpenRange(source, reading, 0, 0);
        range.add(whole, whole.bytes());
        tally.ranges(List.of(range.closed()));
      } else {
        tally.skipEmpty();
      }
    } catch (RefusedException e) {
      tally.refuse(source.origin(), 0, String.valueOf(e.getMessage()), whole.payload());
    }
  }

  /** Whether something is in the file; of a page, whether it may be. */
  private boolean isThere(FileRecord whole) throws RefusedException {
    RecordDocuments documents =
        new RecordDocuments(reading, Optional.empty(), source.id(), source.origin());
    if (reading.format() != Format.HTML) {
      return documents.of(whole).isPresent();
    }
    documents.requireText(whole.payload());
    return whole.bytes() > 0;
  }
}
