package io.sluice.corpus.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of an open file, by their places. */
public interface FileBytes extends Closeable {
  /** How many there are. */
  long size();

  /**
   * Reads some bytes, at least one unless there is no room.
   *
   * @return how many; -1 where the file has ended
   */
  int read(ByteBuffer target, long place) throws IOException;
}
