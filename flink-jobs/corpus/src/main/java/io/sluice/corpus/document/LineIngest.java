package io.sluice.corpus.document;

import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.JsonDocument;
import io.sluice.corpus.file.Line;
import io.sluice.corpus.file.LineReader;
import io.sluice.corpus.file.RefusedException;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.Utf8;
import io.sluice.schema.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** The part of an {@link Ingestor} that takes a document from each line. */
record LineIngest(IngestSettings settings, Format format, Tally tally) {
  void lines(SourceFile source, FilePassage passage, InputStream in)
      throws IOException, RefusedException {
    LineReader reader = new LineReader(in, settings.maxDocument(), Limits.PAYLOAD_BYTES);
    long refused = tally.refused();
    for (Line line = reader.next(); line != null; line = reader.next()) {
      if (passage.isNew(line.bytes())) {
        line(source, line);
      } else {
        tally.skipKnown();
      }
      if (line.number() == Ingestor.HOPELESS && tally.refused() - refused == Ingestor.HOPELESS) {
        tally.giveUp(source.path().toString(), Ingestor.HOPELESS + 1, Ingestor.hopeless(format));
        return;
      }
    }
  }

  private void line(SourceFile source, Line line) {
    String origin = source.path().toString();
    if (line.truncated()) {
      tally.refuse(
          origin, line.number(), settings.tooLarge("line has " + line.length()), line.bytes());
      return;
    }
    String text = tally.decoded(line.bytes(), origin, line.number());
    if (text == null) {
      return;
    }
    if (text.isBlank()) {
      tally.skipEmpty();
      return;
    }
    String id = source.id() + ":" + line.number();
    if (format == Format.LINES) {
      tally.document(id, text, line.length(), origin, line.number(), Map.of());
      return;
    }
    try {
      JsonDocument json = JsonDocument.parse(text, settings.fields(), settings.scoreField());
      long bytes = Utf8.length(json.text());
      tally.document(
          json.id().orElse(id),
          json.text(),
          bytes,
          origin,
          line.number(),
          json.properties(),
          json.trained());
    } catch (RefusedException e) {
      tally.refuse(origin, line.number(), String.valueOf(e.getMessage()), line.bytes());
    }
  }
}
