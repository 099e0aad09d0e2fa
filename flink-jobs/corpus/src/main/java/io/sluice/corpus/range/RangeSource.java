package io.sluice.corpus.range;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.StoredFile;
import java.io.IOException;

/** Where the files of ranges are. */
public interface RangeSource {
  /**
   * A file as it is now.
   *
   * @throws RefusedException if there is none, or it must not be read
   * @throws SourceFailedException if that cannot be said now; so do the file's own methods
   */
  StoredFile find(String location) throws IOException, RefusedException;
}
