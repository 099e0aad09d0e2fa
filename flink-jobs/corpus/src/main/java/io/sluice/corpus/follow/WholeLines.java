package io.sluice.corpus.follow;

import io.sluice.corpus.file.FileBytes;
import io.sluice.corpus.file.StoredFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * The lines of a file that had their ends when it was looked at; what was behind them then, or is
 * there since, is not in it.
 */
record WholeLines(StoredFile file, long bytes) implements StoredFile {
  private static final int STEP = 64 << 10;

  /** Looks for the last end of a line. */
  static WholeLines of(StoredFile file) throws IOException {
    try (FileBytes bytes = file.bytesAnywhere()) {
      ByteBuffer part = ByteBuffer.allocate(STEP);
      long end = bytes.size();
      while (end > 0) {
        long start = Math.max(0, end - STEP);
        part.clear().limit((int) (end - start));
        while (part.hasRemaining() && bytes.read(part, start + part.position()) >= 0) {
          // A file that became shorter is looked at as it is.
        }
        for (int place = part.position() - 1; place >= 0; place--) {
          if (part.get(place) == '\n') {
            return new WholeLines(file, start + place + 1);
          }
        }
        end = start;
      }
      return new WholeLines(file, 0);
    }
  }

  @Override
  public String origin() {
    return file.origin();
  }

  @Override
  public String location() {
    return file.location();
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public String version() {
    return file.version();
  }

  @Override
  public boolean mayGrow() {
    return true;
  }

  @Override
  public boolean isBeginning() {
    return true;
  }

  @Override
  public InputStream open(long from) throws IOException {
    return new Limited(file.open(from), Math.max(0, bytes - from));
  }

  @Override
  public FileBytes bytesAnywhere() throws IOException {
    return file.bytesAnywhere();
  }

  @Override
  public StoredFile beside(String name) throws IOException {
    return file.beside(name);
  }

  private static final class Limited extends FilterInputStream {
    private long left;

    Limited(InputStream in, long left) {
      super(in);
      this.left = left;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int count = super.read(target, offset, (int) Math.min(length, left));
      left -= Math.max(0, count);
      return count;
    }

    @Override
    public int available() throws IOException {
      return (int) Math.min(super.available(), left);
    }
  }
}
