package io.sluice.corpus.document;

import io.sluice.control.line.Line;
import io.sluice.control.line.LineReader;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.record.RecordDocuments;
import io.sluice.schema.Limits;
import java.io.IOException;
import java.io.InputStream;

/** The part of an {@link Ingestor} that takes a document from each line. */
record LineIngest(IngestSettings settings, Format format, Tally tally, DocumentWork work) {
  void lines(SourceFile source, FilePassage passage, InputStream in)
      throws IOException, RefusedException {
    LineReader reader = new LineReader(in, settings.maxDocument(), Limits.PAYLOAD_BYTES);
    RecordDocuments documents = settings.documents(source, format);
    FileRecords records = new FileRecords(documents.origin(), format, passage, tally, work);
    try {
      for (Line line = reader.next(); line != null && !records.areOver(); line = reader.next()) {
        Line next = line;
        records.add(
            next.number(),
            next.bytes(),
            known -> known.isNew(next.bytes()),
            () -> settings.made(() -> documents.line(next)));
      }
    } finally {
      // What came before an error of the file is used.
      records.end();
    }
  }
}
