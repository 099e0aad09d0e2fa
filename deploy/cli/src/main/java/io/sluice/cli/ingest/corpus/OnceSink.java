package io.sluice.cli.ingest.corpus;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.FilePassage;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.range.FileRange;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.IngestedFile;
import io.sluice.schema.TokenDocument;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what of files is not in the corpus yet, and how far they are in it. Every {@value #CHARS}
 * characters of text or bytes of tokens, or {@value #FILES} files, it waits until the broker has
 * all documents and then says so in the table. Of a file that never gave a document, to this domain
 * or another, nothing is said: it may have been taken for what it is not.
 */
final class OnceSink implements DocumentSink {
  private static final long CHARS = 64L << 20;
  private static final int FILES = 10_000;

  private final CorpusWriter writer;
  private final IngestSession session;
  private final IngestSettings settings;
  private final LetterSources letters;
  private final Map<String, IngestedFile> unsaid = new LinkedHashMap<>();
  private @Nullable Passing current;
  private long written;

  /** The file that is read, and what was known of it. */
  private static final class Passing {
    private final String file;
    private final String reading;
    private final FilePassage passage;
    private boolean used;

    Passing(String file, String reading, FilePassage passage, boolean used) {
      this.file = file;
      this.reading = reading;
      this.passage = passage;
      this.used = used;
    }
  }

  OnceSink(
      CorpusWriter writer, IngestSession session, IngestSettings settings, LetterSources letters) {
    this.writer = writer;
    this.session = session;
    this.settings = settings;
    this.letters = letters;
  }

  @Override
  public boolean mayKnow(SourceFile source) {
    return session.known(source.file().location()) != null;
  }

  @Override
  public FilePassage file(SourceFile source) throws RefusedException {
    leave();
    if (unsaid.size() >= FILES) {
      checkpoint();
    }
    String file = source.file().location();
    String reading = settings.reading(source);
    IngestedFile before = session.known(file);
    if (before != null && !before.getReading().isEmpty() && !before.getReading().equals(reading)) {
      throw new RefusedException(
          "was ingested as '"
              + before.getReading()
              + "', and would be read as '"
              + reading
              + "' now: its documents would be there twice");
    }
    FilePassage passage = before == null ? FilePassage.fresh() : behind(before);
    current = new Passing(file, reading, passage, before != null);
    return passage;
  }

  @Override
  public void document(Document document, byte[] encoded) {
    writer.document(document, encoded);
    wrote(document.getText().length());
  }

  @Override
  public void tokens(TokenDocument document) {
    writer.tokens(document);
    wrote(document.getTokens().remaining());
  }

  @Override
  public void ranges(List<FileRange> ranges) {
    writer.ranges(ranges);
    session.refer(ranges);
    wrote(ranges.stream().mapToLong(FileRange::bytes).sum());
  }

  @Override
  public void anothers() {
    wrote(0);
  }

  private void wrote(long length) {
    written += length;
    if (current != null) {
      current.used = true;
    }
    if (written >= CHARS) {
      checkpoint();
    }
  }

  @Override
  public void deadLetter(DeadLetter letter) {
    writer.deadLetter(letters.with(letter, session.corpus(), writer.next()));
  }

  @Override
  public boolean mustTell(SourceFile source, String reason) {
    return !settings.fields().leaveRefusals()
        && session.tell(source.file().location(), reason, unsaid);
  }

  /** Says how far all files are. */
  void flush() {
    leave();
    checkpoint();
  }

  private void checkpoint() {
    if (current != null) {
      keep(current);
    }
    session.say(unsaid);
    unsaid.clear();
    written = 0;
  }

  private void leave() {
    if (current != null) {
      keep(current);
    }
    current = null;
  }

  private void keep(Passing passing) {
    FilePassage passage = passing.passage;
    if (passing.used && passage.hasMore()) {
      unsaid.put(
          passing.file,
          session.ingested(
              passing.file,
              passing.reading,
              passage.records(),
              passage.proven(),
              passage.provenHash()));
    }
  }

  private static FilePassage behind(IngestedFile before) {
    ByteBuffer hash = before.getHash().duplicate();
    byte[] bytes = new byte[hash.remaining()];
    hash.get(bytes);
    return FilePassage.behind(before.getRecords(), before.getHashed(), bytes);
  }
}
