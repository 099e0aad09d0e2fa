package io.sluice.corpus.store;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;

/** The bytes of an object between two places. A connection that breaks off is made again there. */
final class S3Stream extends InputStream {
  private final S3File file;
  private final long end;
  private long place;
  private @Nullable ResponseInputStream<?> in;

  S3Stream(S3File file, long from, long end) {
    this.file = file;
    this.end = end;
    this.place = from;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (place >= end) {
      return -1;
    }
    int count = file.store().calls().make(file.path(), () -> some(target, offset, length));
    place += count;
    return count;
  }

  private int some(byte[] target, int offset, int length) throws IOException {
    boolean read = false;
    try {
      ResponseInputStream<?> from = in;
      if (from == null) {
        from = file.store().get(file, place, end - place);
        in = from;
      }
      int most = (int) Math.min(length, end - place);
      int count = from.read(target, offset, most);
      if (count < 0) {
        throw new EOFException("the connection ended at byte " + place);
      }
      read = true;
      return count;
    } finally {
      if (!read) {
        close();
      }
    }
  }

  @Override
  public void close() {
    // What is left is not wanted, and an object may be large.
    if (in != null) {
      in.abort();
    }
    in = null;
  }
}
