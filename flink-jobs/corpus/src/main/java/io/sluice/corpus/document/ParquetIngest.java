package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.parquet.ParquetDocuments;
import io.sluice.corpus.parquet.ParquetRow;
import java.io.IOException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The part of an {@link Ingestor} that takes a document from each row of a Parquet file. */
record ParquetIngest(IngestSettings settings, Tally tally, LongConsumer progress) {
  void file(SourceFile source) {
    tally.file();
    String origin = source.origin();
    long told = 0;
    try (ParquetDocuments rows = ParquetDocuments.open(source.file(), settings.fields())) {
      FilePassage passage = tally.passage(source);
      long refused = tally.refused();
      for (ParquetRow row = rows.next(); row != null; row = rows.next()) {
        if (passage.isNew(row.text(), row.id())) {
          row(source, row);
        } else {
          tally.skipKnown();
        }
        long read = (long) (source.bytes() * rows.done());
        progress.accept(read - told);
        told = read;
        if (row.number() == Ingestor.HOPELESS && tally.refused() - refused == Ingestor.HOPELESS) {
          tally.giveUp(origin, Ingestor.HOPELESS + 1, Ingestor.hopeless(Format.PARQUET));
          break;
        }
      }
      passage.end();
    } catch (RefusedException e) {
      tally.giveUp(origin, 0, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      tally.refuse(origin, 0, "cannot be read to its end: " + e.getMessage(), new byte[0]);
    }
    progress.accept(source.bytes() - told);
  }

  private void row(SourceFile source, ParquetRow row) {
    String origin = source.origin();
    byte[] bytes = row.text();
    if (bytes == null) {
      tally.refuse(origin, row.number(), "'" + settings.fields().text() + "' is null", new byte[0]);
      return;
    }
    if (bytes.length > settings.maxDocument()) {
      tally.refuse(origin, row.number(), settings.tooLarge("document has " + bytes.length), bytes);
      return;
    }
    String text = tally.decoded(bytes, origin, row.number());
    String id = id(source, row);
    if (text != null && id != null) {
      tally.document(id, text, bytes.length, origin, row.number());
    }
  }

  /** The row's own id, or its place; null if its own is not UTF-8, which is refused then. */
  private @Nullable String id(SourceFile source, ParquetRow row) {
    byte[] own = row.id();
    return own == null || own.length == 0
        ? source.id() + ":" + row.number()
        : tally.decoded(own, source.origin(), row.number());
  }
}
