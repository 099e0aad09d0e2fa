package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.tokens.TokenFile;
import io.sluice.corpus.tokens.TokenFiles;
import io.sluice.corpus.tokens.TokenRow;
import io.sluice.schema.TokenDocument;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The part of an {@link Ingestor} that takes documents that are token ids already. */
record TokenIngest(TokenSource tokens, Tally tally, LongConsumer progress) {
  void file(SourceFile source) {
    String name = source.file().name();
    if (!source.named() && !TokenFiles.isOne(name)) {
      tally.skipOther();
      return;
    }
    tally.file();
    String origin = source.origin();
    long told = 0;
    try (TokenFile file = TokenFiles.open(source.file(), tokens.layout())) {
      FilePassage passage = tally.passage(source);
      long refused = tally.refused();
      for (TokenRow row = file.next(); row != null; row = file.next()) {
        if (passage.isNew(row.tokens(), row.id())) {
          row(source, row);
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
      tally.refuse(origin, 0, "cannot be read to its end: " + e.getMessage(), new byte[0]);
    }
    progress.accept(source.bytes() - told);
  }

  private void row(SourceFile source, TokenRow row) {
    String origin = source.origin();
    try {
      ByteBuffer ids = ByteBuffer.wrap(tokens.ids().of(row));
      String id = id(source, row);
      if (id != null) {
        int width = tokens.ids().width();
        tally.tokens(
            new TokenDocument(id, tokens.tokenizer(), width, ids, origin, row.number(), Map.of()));
      }
    } catch (RefusedException e) {
      tally.refuse(origin, row.number(), String.valueOf(e.getMessage()), row.tokens());
    }
  }

  /** The row's own id, or its place; null if its own is not UTF-8, which is refused then. */
  private @Nullable String id(SourceFile source, TokenRow row) {
    byte[] own = row.id();
    return own == null || own.length == 0
        ? source.id() + ":" + row.number()
        : tally.decoded(own, source.origin(), row.number());
  }
}
