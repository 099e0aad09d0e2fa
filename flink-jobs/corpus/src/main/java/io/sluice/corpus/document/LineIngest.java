package io.sluice.corpus.document;

import io.sluice.control.line.Line;
import io.sluice.control.line.LineDocuments;
import io.sluice.control.line.LineReader;
import io.sluice.control.line.RefusedException;
import io.sluice.control.line.Utf8;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.schema.Document;
import io.sluice.schema.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The part of an {@link Ingestor} that takes a document from each line. */
record LineIngest(IngestSettings settings, Format format, Tally tally) {
  void lines(SourceFile source, FilePassage passage, InputStream in)
      throws IOException, RefusedException {
    LineReader reader = new LineReader(in, settings.maxDocument(), Limits.PAYLOAD_BYTES);
    LineDocuments documents = settings.lines(source, format);
    long refused = tally.refused();
    for (Line line = reader.next(); line != null; line = reader.next()) {
      if (passage.isNew(line.bytes())) {
        line(documents, line);
      } else {
        tally.skipKnown();
      }
      if (line.number() == Ingestor.HOPELESS && tally.refused() - refused == Ingestor.HOPELESS) {
        tally.giveUp(source.origin(), Ingestor.HOPELESS + 1, Ingestor.hopeless(format));
        return;
      }
    }
  }

  private void line(LineDocuments documents, Line line) {
    String origin = documents.origin();
    if (line.truncated()) {
      tally.refuse(
          origin, line.number(), settings.tooLarge("line has " + line.length()), line.bytes());
      return;
    }
    try {
      Optional<Document> document = documents.of(line);
      tally.take(document, document.map(found -> Utf8.length(found.getText())).orElse(0L));
    } catch (RefusedException e) {
      tally.refuse(origin, line.number(), String.valueOf(e.getMessage()), line.bytes());
    }
  }
}
