package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.record.RecordDocuments;
import io.sluice.corpus.tokens.TokenFile;
import io.sluice.corpus.tokens.TokenFiles;
import io.sluice.corpus.tokens.TokenRow;
import java.io.IOException;
import java.util.function.LongConsumer;

/** The part of an {@link Ingestor} that takes documents that are token ids already. */
record TokenIngest(IngestSettings settings, Tally tally, LongConsumer progress) {
  void file(SourceFile source) {
    String name = source.file().name();
    if (!source.named() && !TokenFiles.isOne(name)) {
      tally.skipOther();
      return;
    }
    tally.file();
    String origin = source.origin();
    RecordDocuments documents = settings.documents(source, Format.TOKENS);
    long told = 0;
    try (TokenFile file =
        TokenFiles.open(source.file(), documents.reading().tokens().orElseThrow().layout())) {
      FilePassage passage = tally.passage(source);
      long refused = tally.refused();
      for (TokenRow row = file.next(); row != null; row = file.next()) {
        if (passage.isNew(row.tokens(), row.id())) {
          row(documents, row);
        } else {
          tally.skipKnown();
        }
        long read = (long) (source.bytes() * file.done());
        progress.accept(read - told);
        told = read;
        if (row.number() == FileRecords.HOPELESS
            && tally.refused() - refused == FileRecords.HOPELESS) {
          tally.giveUp(origin, FileRecords.HOPELESS + 1, FileRecords.hopeless(Format.TOKENS));
          break;
        }
      }
      passage.end();
    } catch (RefusedException | FileChangedException e) {
      tally.giveUp(origin, 0, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      tally.giveUp(origin, 0, "cannot be read to its end: " + e.getMessage());
    }
    progress.accept(source.bytes() - told);
  }

  private void row(RecordDocuments documents, TokenRow row) {
    try {
      documents.tokens(row).ifPresentOrElse(tally::tokens, tally::skipEmpty);
    } catch (RefusedException e) {
      tally.refuse(documents.origin(), row.number(), String.valueOf(e.getMessage()), row.tokens());
    }
  }
}
