package io.sluice.corpus.document;

import io.sluice.control.line.LineDocuments;
import io.sluice.control.line.RefusedException;
import io.sluice.control.line.Utf8;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.html.MainContent;
import io.sluice.schema.Document;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The part of an {@link Ingestor} that makes one document of a whole file. */
record WholeIngest(IngestSettings settings, Format format, Tally tally, DocumentWork work) {
  void file(SourceFile source, InputStream in) throws IOException {
    byte[] bytes;
    try {
      bytes = in.readNBytes(settings.maxDocument() + 1);
    } catch (IOException e) {
      work.drain();
      tally.file();
      throw e;
    }
    boolean later = tally.mayKnow(source);
    work.add(
        () -> {
          Runnable made = later ? null : made(source, bytes);
          return () -> take(source, bytes, made == null ? () -> made(source, bytes) : () -> made);
        },
        bytes.length);
  }

  private void take(SourceFile source, byte[] bytes, Supplier<Runnable> made) {
    tally.file();
    try {
      FilePassage passage = tally.passage(source);
      if (passage.isNew(bytes)) {
        made.get().run();
      } else {
        tally.skipKnown();
      }
      passage.end();
    } catch (RefusedException e) {
      tally.giveUp(source.origin(), 0, String.valueOf(e.getMessage()));
    }
  }

  private Runnable made(SourceFile source, byte[] bytes) {
    if (Content.isBinary(bytes) && !source.named()) {
      return tally::skipBinary;
    }
    return work.made(source.origin(), 0, bytes, () -> document(source, bytes));
  }

  private Optional<Document> document(SourceFile source, byte[] bytes) throws RefusedException {
    if (Content.isBinary(bytes)) {
      throw new RefusedException("not text: a NUL byte in the first 8 KiB");
    }
    if (bytes.length > settings.maxDocument()) {
      throw new RefusedException(settings.tooLarge("document has at least " + bytes.length));
    }
    String text = format == Format.HTML ? MainContent.of(bytes) : Utf8.require(bytes);
    return LineDocuments.usable(
        new Document(source.id(), text, source.origin(), 0L, Map.of(), null));
  }
}
