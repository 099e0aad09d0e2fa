package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.record.RecordDocuments;
import java.io.IOException;
import java.io.InputStream;
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
    RecordDocuments documents = settings.documents(source, format);
    return work.made(source.origin(), 0, bytes, () -> documents.whole(bytes));
  }
}
