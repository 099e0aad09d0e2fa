package io.sluice.corpus.range;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.StoredFile;
import java.io.Closeable;
import java.io.IOException;

/** Where the files of ranges are. */
public interface RangeSource extends Closeable {
  /**
   * The file of a range, which may be another than it was.
   *
   * @throws RefusedException if there is none, or it must not be read
   * @throws SourceFailedException if that cannot be said now; so do the file's own methods
   */
  default StoredFile find(FileRange range) throws IOException, RefusedException {
    return find(range.location());
  }

  /** A file as it is now; throws as {@link #find(FileRange)} does. */
  StoredFile find(String location) throws IOException, RefusedException;

  @Override
  default void close() {}
}
