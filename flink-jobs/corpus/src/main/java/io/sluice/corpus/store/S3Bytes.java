package io.sluice.corpus.store;

import io.sluice.corpus.file.FileBytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** The bytes of an object by their places: each reading is a request. */
record S3Bytes(S3File file) implements FileBytes {
  private static final int MOST = 8 << 20;

  @Override
  public long size() {
    return file.bytes();
  }

  @Override
  public int read(ByteBuffer target, long place) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    if (place >= size()) {
      return -1;
    }
    int length = (int) Math.min(Math.min(target.remaining(), MOST), size() - place);
    target.put(file.store().calls().make(file.path(), () -> part(place, length)));
    return length;
  }

  @Override
  public void close() {
    // Nothing is open between two readings.
  }

  private byte[] part(long place, int length) throws IOException {
    try (InputStream in = file.store().get(file, place, length)) {
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw new EOFException("the connection ended at byte " + (place + bytes.length));
      }
      return bytes;
    }
  }
}
