package io.sluice.corpus.document;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.RefusedException;
import io.sluice.control.line.Utf8;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.html.MainContent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Turns files into the documents of a domain, in an order and under ids that depend on the paths
 * and contents alone. Whatever cannot be used goes to the dead letters with its place and the
 * reason. Holds one document at a time, and never more than the limit of one.
 *
 * <p>A file whose first {@value #HOPELESS} lines are all refused is not read on: it is not what it
 * was taken for, and each of its lines would be a dead letter.
 *
 * @param clock stamps the dead letters
 * @param progress told of what was read and written
 */
public record Ingestor(
    IngestSettings settings, DocumentSink sink, InstantSource clock, IngestListener progress) {
  static final int HOPELESS = 100;

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
    sources.files().forEach(source -> file(source, tally));
    return tally.report(sources.hidden(), sources.ignored());
  }

  /** Size in bytes of all files that {@link #paths} would read. */
  public static long size(List<Path> paths, IngestSettings settings) {
    return SourceFiles.local(paths, settings.gitignore()).bytes();
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
    content(new SourceFile(new StreamedFile(in), "-", true), format, in, tally);
    return tally.report(0, 0);
  }

  private void file(SourceFile source, Tally tally) {
    String name = source.file().name();
    Format format = Content.format(settings.format(), name);
    if (settings.tokens().isPresent()) {
      new TokenIngest(settings.tokens().get(), tally, progress).file(source);
      return;
    }
    if (format == Format.PARQUET) {
      new ParquetIngest(settings, tally, progress).file(source);
      return;
    }
    try (InputStream raw = source.file().open(0);
        InputStream in = Content.open(name, raw, progress)) {
      content(source, format, in, tally);
    } catch (IOException e) {
      tally.refuse(source.origin(), 0, "cannot be read: " + e.getMessage(), new byte[0]);
    }
  }

  private void content(SourceFile source, Format format, InputStream in, Tally tally) {
    tally.file();
    try {
      FilePassage passage =
          source.file() instanceof StreamedFile ? FilePassage.fresh() : tally.passage(source);
      if (format == Format.TEXT || format == Format.HTML) {
        whole(source, format, passage, in, tally);
      } else {
        new LineIngest(settings, format, tally).lines(source, passage, in);
      }
      passage.end();
    } catch (RefusedException e) {
      tally.giveUp(source.origin(), 0, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      tally.refuse(source.origin(), 0, "cannot be read to its end: " + e.getMessage(), new byte[0]);
    }
  }

  private void whole(
      SourceFile source, Format format, FilePassage passage, InputStream in, Tally tally)
      throws IOException, RefusedException {
    byte[] bytes = in.readNBytes(settings.maxDocument() + 1);
    if (!passage.isNew(bytes)) {
      tally.skipKnown();
      return;
    }
    String origin = source.origin();
    if (Content.isBinary(bytes)) {
      if (source.named()) {
        tally.refuse(origin, 0, "not text: a NUL byte in the first 8 KiB", bytes);
      } else {
        tally.skipBinary();
      }
      return;
    }
    if (bytes.length > settings.maxDocument()) {
      tally.refuse(origin, 0, settings.tooLarge("document has at least " + bytes.length), bytes);
      return;
    }
    String text =
        format == Format.HTML ? content(bytes, origin, tally) : tally.decoded(bytes, origin, 0);
    if (text != null) {
      long size = format == Format.HTML ? Utf8.length(text) : bytes.length;
      tally.document(source.id(), text, size, origin, 0);
    }
  }

  private static @Nullable String content(byte[] page, String origin, Tally tally) {
    try {
      return MainContent.of(page);
    } catch (RefusedException e) {
      tally.refuse(origin, 0, String.valueOf(e.getMessage()), page);
      return null;
    }
  }

  /** Why a file is not read on, of which the first {@value #HOPELESS} lines or rows are refused. */
  static String hopeless(Format format) {
    return "the rest is not read, since none of the first "
        + HOPELESS
        + (format == Format.LINES || format == Format.JSONL
            ? " lines could be used as "
            : " rows could be used as ")
        + format.name().toLowerCase(Locale.ROOT);
  }
}
