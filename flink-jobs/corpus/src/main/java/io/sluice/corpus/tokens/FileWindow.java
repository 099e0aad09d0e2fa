package io.sluice.corpus.tokens;

import io.sluice.corpus.file.FileBytes;
import io.sluice.corpus.file.StoredFile;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes of a file by their places, read ahead for places that follow each other. */
public final class FileWindow implements Closeable {
  private final FileBytes file;
  private final ByteBuffer buffer;
  private long start;

  /**
   * A window on a file.
   *
   * @param ahead bytes that are read at once
   */
  public FileWindow(StoredFile stored, int ahead) throws IOException {
    file = stored.bytesAnywhere();
    buffer = ByteBuffer.allocate(ahead).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  }

  /** Bytes of the file when it was opened. */
  public long size() {
    return file.size();
  }

  /** A little-endian number of 4 bytes. */
  public int intAt(long place) throws IOException {
    return buffer.getInt(fill(place, Integer.BYTES));
  }

  /** A little-endian number of 8 bytes. */
  public long longAt(long place) throws IOException {
    return buffer.getLong(fill(place, Long.BYTES));
  }

  /** Copies bytes. */
  public void read(long place, byte[] target, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int part = Math.min(length - done, buffer.capacity());
      int from = fill(place + done, part);
      buffer.get(from, target, offset + done, part);
      done += part;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Where in the buffer the place is, behind which so many bytes are there. */
  private int fill(long place, int length) throws IOException {
    if (place < start || place + length > start + buffer.limit()) {
      start = place;
      buffer.clear();
      while (buffer.hasRemaining() && file.read(buffer, start + buffer.position()) >= 0) {
        // What is behind the end of the file is missed below.
      }
      buffer.flip();
      if (buffer.limit() < length) {
        throw new EOFException("the file ends at byte " + (start + buffer.limit()));
      }
    }
    return (int) (place - start);
  }
}
