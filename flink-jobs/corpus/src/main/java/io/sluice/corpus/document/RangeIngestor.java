package io.sluice.corpus.document;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.file.UnreadFile;
import io.sluice.corpus.record.RecordCursor;
import io.sluice.corpus.record.RecordReading;
import io.sluice.corpus.tokens.TokenFiles;
import java.io.IOException;
import java.time.InstantSource;

/**
 * Writes, in place of the documents of files, which records of which files they are: whoever reads
 * them there comes to the documents, ids and refusals of an {@link Ingestor}. Looks at no record
 * beyond a file's first {@value FileRecords#HOPELESS}, and at pages not at all: a file of which
 * none of these can be used is refused here, as it is there.
 *
 * @param clock stamps the dead letters
 * @param progress told of what was read and written
 */
public record RangeIngestor(
    IngestSettings settings, DocumentSink sink, InstantSource clock, IngestListener progress) {
  /** Ingests files that were listed; see {@link Ingestor#paths}. */
  public IngestReport files(SourceFiles sources) {
    Tally tally = new Tally(sink, clock, progress);
    sources.files().forEach(source -> file(source, tally));
    return tally.report(sources.hidden(), sources.ignored());
  }

  private void file(SourceFile source, Tally tally) {
    if (source.file() instanceof UnreadFile unread) {
      tally.unread(source, unread.reason());
      return;
    }
    String name = source.file().name();
    Format format = Content.format(settings.format(), name);
    if (format == Format.TOKENS && !source.named() && !TokenFiles.isOne(name)) {
      tally.skipOther();
      return;
    }
    tally.file();
    RecordReading reading = settings.records(format);
    try (RecordCursor cursor = RecordCursor.open(source.file(), reading, progress)) {
      FilePassage passage = tally.passage(source);
      if (reading.isWhole()) {
        new WholeRange(source, reading, passage, tally).read(cursor);
      } else {
        new FileRanges(source, reading, passage, tally).read(cursor);
      }
      if (!source.file().isBeginning()) {
        passage.end();
      }
    } catch (RefusedException | FileChangedException e) {
      tally.giveUp(source.origin(), 0, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      tally.giveUp(source.origin(), 0, "cannot be read to its end: " + e.getMessage());
    }
  }
}
