package io.sluice.corpus.record;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A way through the records of one file, in their order. Holds one record at a time. */
public interface RecordCursor extends Closeable {
  /**
   * Opens a file.
   *
   * @param read told how many of the file's bytes were read each time, where it is read from its
   *     beginning
   * @throws RefusedException if it has not the columns that are wanted
   * @throws IOException if it cannot be read, or is not what its format says
   */
  static RecordCursor open(StoredFile file, RecordReading reading, LongConsumer read)
      throws IOException, RefusedException {
    if (reading.isLines()) {
      return LineCursor.open(file, reading, read);
    }
    return reading.isWhole()
        ? WholeCursor.open(file, reading, read)
        : RowCursor.open(file, reading, read);
  }

  /**
   * Opens a file at one of its records.
   *
   * @param reading one that {@link RecordReading#isFromAnywhere} says so of
   * @param passed records before it
   * @param place its first byte, where records are lines
   * @param bytes that are wanted, where records are lines
   */
  static RecordCursor openAt(
      StoredFile file, RecordReading reading, long passed, long place, long bytes)
      throws IOException, RefusedException {
    return reading.isLines()
        ? LineCursor.openAt(file, reading, passed, place, bytes)
        : open(file, reading, read -> {});
  }

  /** The next record; null at the end. */
  @Nullable FileRecord next() throws IOException;

  /** Records that were read or passed over. */
  long passed();

  /** Bytes of the decompressed content up to here, where records are lines; else 0. */
  long place();

  /**
   * Says where the content shall end, whatever follows there, where records are lines.
   *
   * @param place at or behind the cursor's
   */
  default void endAt(long place) {}

  /**
   * Passes over records.
   *
   * @param records in all, from the file's first on
   * @param place behind them, where records are lines
   */
  void skipTo(long records, long place) throws IOException;
}
