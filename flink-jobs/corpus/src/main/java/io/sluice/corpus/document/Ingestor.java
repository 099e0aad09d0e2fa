package io.sluice.corpus.document;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.file.UnreadFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * Turns files into the documents of a domain, in an order and under ids that depend on the paths
 * and contents alone. Whatever cannot be used goes to the dead letters with its place and the
 * reason. Holds 16 MiB of records, or one that is larger, and their documents.
 *
 * <p>A file whose first {@value FileRecords#HOPELESS} lines are all refused is not read on: it is
 * not what it was taken for, and each of its lines would be a dead letter.
 *
 * @param clock stamps the dead letters
 * @param progress told of what was read and written
 * @param threads that make documents, beside the one that reads; what comes out is the same for any
 *     number
 */
public record Ingestor(
    IngestSettings settings,
    DocumentSink sink,
    InstantSource clock,
    IngestListener progress,
    int threads) {
  /** One that makes documents on all processors. */
  public Ingestor(
      IngestSettings settings, DocumentSink sink, InstantSource clock, IngestListener progress) {
    this(settings, sink, clock, progress, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Ingests files and folders. A document's id is the file's path from the folder that was named,
   * with ':' and the line behind it where a file holds several; or the id that its line gives.
   *
   * @throws BadInputException if a path cannot be read or holds nothing; nothing was written then
   */
  public IngestReport paths(List<Path> paths) {
    return files(SourceFiles.local(paths, settings.gitignore()));
  }

  /** Ingests files that were listed; see {@link #paths}. */
  public IngestReport files(SourceFiles sources) {
    Tally tally = new Tally(sink, clock, progress);
    try (DocumentWork work = new DocumentWork(threads, tally)) {
      sources.files().forEach(source -> file(source, tally, work));
      work.drain();
    }
    return tally.report(sources.hidden(), sources.ignored());
  }

  /**
   * Ingests a stream whose origin is '-'; it is JSONL unless the settings say otherwise.
   *
   * @throws BadInputException if it is to be Parquet or token ids
   */
  public IngestReport stream(InputStream in) {
    if (settings.format() == Format.PARQUET || settings.format() == Format.TOKENS) {
      throw new BadInputException(
          "PATH must be files for --format " + settings.formatName() + ", not '-'");
    }
    Tally tally = new Tally(sink, clock, progress);
    Format format = settings.format() == Format.AUTO ? Format.JSONL : settings.format();
    try (DocumentWork work = new DocumentWork(threads, tally)) {
      // What waits for more to be read must not wait for its turn.
      InputStream lines = new PatientStream(in, work::drain);
      content(new SourceFile(new StreamedFile(lines), "-", true), format, lines, tally, work);
      work.drain();
    }
    return tally.report(0, 0);
  }

  private void file(SourceFile source, Tally tally, DocumentWork work) {
    if (source.file() instanceof UnreadFile unread) {
      work.drain();
      tally.unread(source, unread.reason());
      return;
    }
    String name = source.file().name();
    Format format = Content.format(settings.format(), name);
    if (settings.tokens().isPresent()) {
      new TokenIngest(settings, tally, progress).file(source);
      return;
    }
    if (format == Format.PARQUET) {
      work.drain();
      new ParquetIngest(settings, tally, work, progress).file(source);
      return;
    }
    try (InputStream raw = source.file().open(0);
        InputStream in = Content.open(name, raw, progress)) {
      content(source, format, in, tally, work);
    } catch (FileChangedException e) {
      work.drain();
      tally.giveUp(source.origin(), 0, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      work.drain();
      tally.giveUp(source.origin(), 0, "cannot be read: " + e.getMessage());
    }
  }

  private void content(
      SourceFile source, Format format, InputStream in, Tally tally, DocumentWork work) {
    try {
      if (format == Format.TEXT || format == Format.HTML) {
        new WholeIngest(settings, format, tally, work).file(source, in);
        return;
      }
      work.drain();
      tally.file();
      FilePassage passage = tally.passage(source);
      new LineIngest(settings, format, tally, work).lines(source, passage, in);
      if (!source.file().isBeginning()) {
        passage.end();
      }
    } catch (RefusedException | FileChangedException e) {
      tally.giveUp(source.origin(), 0, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      work.drain();
      tally.giveUp(source.origin(), 0, "cannot be read to its end: " + e.getMessage());
    }
  }
}
