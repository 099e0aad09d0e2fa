package io.sluice.corpus.range;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.FileBytes;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.StoredFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;

/**
 * A file that may be read, which tells a failure to read from what is wrong in it.
 *
 * @param source that it is of
 * @param location as it was named; its name says what is in it
 * @param file by its real path, or an object
 */
record SourceFileAt(RangeSource source, String location, StoredFile file) implements StoredFile {
  /** A call that may fail. */
  interface Reading<T> {
    T read() throws IOException;
  }

  static SourceFileAt of(RangeSource source, String location, Reading<StoredFile> file)
      throws IOException {
    return new SourceFileAt(source, location, tried(location, file));
  }

  private static <T> T tried(String location, Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (FileChangedException e) {
      // The store knows that it is another, or gone.
      throw e;
    } catch (IOException | BadInputException | UnreachableException e) {
      // A file that is gone since it was found is missing when it is looked for again.
      throw new SourceFailedException(location + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String origin() {
    return location;
  }

  @Override
  public String name() {
    return location.substring(location.lastIndexOf('/') + 1);
  }

  @Override
  public long bytes() {
    return file.bytes();
  }

  @Override
  public boolean mayGrow() {
    return file.mayGrow();
  }

  @Override
  public String version() {
    return file.version();
  }

  @Override
  public InputStream open(long from) throws IOException {
    return new Stream(location, tried(location, () -> file.open(from)));
  }

  @Override
  public InputStream open(long from, long bytes) throws IOException {
    return new Stream(location, tried(location, () -> file.open(from, bytes)));
  }

  @Override
  public FileBytes bytesAnywhere() throws IOException {
    return new Bytes(location, tried(location, file::bytesAnywhere));
  }

  @Override
  public StoredFile beside(String name) throws IOException {
    String other = location.substring(0, location.lastIndexOf('/') + 1) + name;
    try {
      return source.find(other);
    } catch (RefusedException e) {
      throw new NoSuchFileException(other, null, e.getMessage());
    }
  }

  private static final class Stream extends FilterInputStream {
    private final String location;

    Stream(String location, InputStream in) {
      super(in);
      this.location = location;
    }

    @Override
    public int read() throws IOException {
      return tried(location, super::read);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return tried(location, () -> super.read(target, offset, length));
    }

    @Override
    public long skip(long bytes) throws IOException {
      return tried(location, () -> super.skip(bytes));
    }
  }

  private record Bytes(String location, FileBytes bytes) implements FileBytes {
    @Override
    public long size() {
      return bytes.size();
    }

    @Override
    public int read(ByteBuffer target, long place) throws IOException {
      return tried(location, () -> bytes.read(target, place));
    }

    @Override
    public void close() throws IOException {
      bytes.close();
    }
  }
}
