package io.sluice.corpus.parquet;

import io.sluice.corpus.file.FileBytes;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** A file as the library wants to have it. It is read once. */
record StoredInput(FileBytes bytes) implements InputFile {
  @Override
  public long getLength() {
    return bytes.size();
  }

  @Override
  public SeekableInputStream newStream() {
    return new Stream(bytes);
  }

  @Override
  public String toString() {
    return "it";
  }

  private static final class Stream extends SeekableInputStream {
    private final FileBytes bytes;
    private long place;

    Stream(FileBytes bytes) {
      this.bytes = bytes;
    }

    @Override
    public long getPos() {
      return place;
    }

    @Override
    public void seek(long to) {
      place = to;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return length == 0 ? 0 : read(ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      int count = bytes.read(target, place);
      place += Math.max(0, count);
      return count;
    }

    @Override
    public void readFully(byte[] target) throws IOException {
      readFully(ByteBuffer.wrap(target));
    }

    @Override
    public void readFully(byte[] target, int offset, int length) throws IOException {
      readFully(ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public void readFully(ByteBuffer target) throws IOException {
      while (target.hasRemaining()) {
        if (read(target) < 0) {
          throw new EOFException("the file ends at byte " + place);
        }
      }
    }

    @Override
    public void close() throws IOException {
      bytes.close();
    }
  }
}
