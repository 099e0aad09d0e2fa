package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.parquet.ParquetDocuments;
import io.sluice.corpus.parquet.ParquetRow;
import io.sluice.corpus.record.RecordDocuments;
import java.io.IOException;
import java.util.function.LongConsumer;

/** The part of an {@link Ingestor} that takes a document from each row of a Parquet file. */
record ParquetIngest(
    IngestSettings settings, Tally tally, DocumentWork work, LongConsumer progress) {
  void file(SourceFile source) {
    tally.file();
    String origin = source.origin();
    RecordDocuments documents = settings.documents(source, Format.PARQUET);
    long told = 0;
    try (ParquetDocuments rows = ParquetDocuments.open(source.file(), settings.fields())) {
      FilePassage passage = tally.passage(source);
      FileRecords records = new FileRecords(origin, Format.PARQUET, passage, tally, work);
      try {
        for (ParquetRow row = rows.next(); row != null && !records.areOver(); row = rows.next()) {
          ParquetRow next = row;
          records.add(
              next.number(),
              next.text() == null ? new byte[0] : next.text(),
              known -> known.isNew(next.text(), next.id()),
              () -> settings.made(() -> documents.row(next)));
          long read = (long) (source.bytes() * rows.done());
          progress.accept(read - told);
          told = read;
        }
      } finally {
        records.end();
      }
      passage.end();
    } catch (RefusedException | FileChangedException e) {
      tally.giveUp(origin, 0, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      tally.giveUp(origin, 0, "cannot be read to its end: " + e.getMessage());
    }
    progress.accept(source.bytes() - told);
  }
}
