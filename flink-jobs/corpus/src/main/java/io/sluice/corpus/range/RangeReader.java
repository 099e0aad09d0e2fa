package io.sluice.corpus.range;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.record.RecordCursor;
import io.sluice.corpus.record.RecordDigest;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges of files. What of a file has changed is refused; a file that cannot be read for a
 * reason that may pass is tried again, and then is a failure: nothing is said of what is in it.
 */
public final class RangeReader implements Closeable {
  /** Files that stay open between ranges, each with a row group or a window in memory. */
  private static final int MOST_IDLE = 16;

  private final RangeSource source;
  private final Pauses pauses;
  private final OpenFiles open = new OpenFiles(MOST_IDLE);

  /** A reader of files that are in a source, which it closes. */
  public RangeReader(RangeSource source, Pauses pauses) {
    this.source = source;
    this.pauses = pauses;
  }

  /**
   * Begins a range, in the order in which ranges are to be read.
   *
   * @return reads it, on any thread, and waits for ranges of the same file that were begun before.
   *     Throws {@link RefusedException} if the records are not what they were, {@link
   *     SourceFailedException} if nobody can say
   */
  public Callable<List<FileRecord>> begin(FileRange range) {
    if (range.reading().isFromAnywhere(range.location())) {
      return () -> tried(range, () -> fresh(range, null));
    }
    OpenFiles.Turn turn = open.turn(range);
    return () -> inTurn(range, turn);
  }

  @Override
  public void close() throws IOException {
    try {
      open.close();
    } finally {
      source.close();
    }
  }

  private interface Attempt {
    List<FileRecord> read() throws IOException, RefusedException;
  }

  /** A cursor that is left for the next. */
  private static final class Left {
    private @Nullable RecordCursor cursor;
  }

  private List<FileRecord> inTurn(FileRange range, OpenFiles.Turn turn) throws Exception {
    Left left = new Left();
    left.cursor = turn.take();
    try {
      List<FileRecord> found = goOn(range, left);
      return found == null ? tried(range, () -> fresh(range, left)) : found;
    } finally {
      turn.end(left.cursor);
    }
  }

  /** Goes on where the file was left; null if that does not lead to the records. */
  private static @Nullable List<FileRecord> goOn(FileRange range, Left left) throws IOException {
    RecordCursor cursor = left.cursor;
    if (cursor == null) {
      return null;
    }
    try {
      if (cursor.passed() <= range.passed() && cursor.place() <= range.begin()) {
        return records(cursor, range);
      }
    } catch (RefusedException | IOException e) {
      // The file may be another by now: it is opened, and then this is said of it or not.
    }
    left.cursor = null;
    cursor.close();
    return null;
  }

  private List<FileRecord> tried(FileRange range, Attempt attempt)
      throws RefusedException, SourceFailedException, InterruptedException {
    int failed = 0;
    while (true) {
      try {
        return attempt.read();
      } catch (IOException e) {
        SourceFailedException passing = SourceFailedException.in(e);
        if (passing == null) {
          throw new RefusedException(range + " " + lost(e));
        }
        if (!pauses.pause(failed)) {
          throw passing;
        }
        failed++;
      } catch (RefusedException e) {
        throw new RefusedException(range + " " + e.getMessage());
      }
    }
  }

  /** What is to be said of a file that can be read, but not as it was. */
  private static String lost(IOException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof FileChangedException changed) {
        return changed.isGone()
            ? "is missing"
            : "is not what it was when it was ingested: the object is another version";
      }
    }
    return "cannot be decoded: " + failure.getMessage();
  }

  private List<FileRecord> fresh(FileRange range, @Nullable Left left)
      throws IOException, RefusedException {
    StoredFile file = source.find(range);
    if (file.bytes() < range.fileBytes()) {
      throw new RefusedException(
          "is not what it was: it has " + file.bytes() + " bytes, and had " + range.fileBytes());
    }
    RecordCursor cursor =
        left == null
            ? RecordCursor.openAt(
                file, range.reading(), range.passed(), range.begin(), range.bytes())
            : RecordCursor.open(file, range.reading(), bytes -> {});
    boolean whole = false;
    try {
      List<FileRecord> found = records(cursor, range);
      whole = true;
      return found;
    } finally {
      if (whole && left != null) {
        left.cursor = cursor;
      } else {
        cursor.close();
      }
    }
  }

  private static List<FileRecord> records(RecordCursor cursor, FileRange range)
      throws IOException, RefusedException {
    boolean lines = range.reading().isLines();
    cursor.endAt(range.begin() + range.bytes());
    try {
      cursor.skipTo(range.passed(), range.begin());
    } catch (EOFException e) {
      throw changed("it ends before byte " + range.begin() + " of its content");
    }
    RecordDigest digest = new RecordDigest();
    List<FileRecord> records = new ArrayList<>();
    long bytes = 0;
    while (records.size() < range.records()) {
      FileRecord next = cursor.next();
      if (next == null) {
        throw changed("it ends with record " + (range.passed() + records.size()));
      }
      bytes = lines ? cursor.place() - range.begin() : bytes + next.bytes();
      if (bytes > range.bytes()) {
        break;
      }
      next.addTo(digest);
      records.add(next);
    }
    if (bytes != range.bytes() || !Arrays.equals(digest.hash(), range.hash())) {
      throw changed("these records are others");
    }
    return records;
  }

  private static RefusedException changed(String how) {
    return new RefusedException("is not what it was when it was ingested: " + how);
  }
}
