package io.sluice.corpus.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * What was found where files are, and cannot be read: also a folder, of which nobody knows what is
 * in it.
 *
 * @param origin where it is, as it was named
 * @param location the same from everywhere
 * @param reason why
 */
public record UnreadFile(String origin, String location, String reason) implements StoredFile {
  /** One of this machine. */
  static UnreadFile of(Path path, String reason) {
    return new UnreadFile(path.toString(), LocalFile.location(path), reason);
  }

  @Override
  public String name() {
    return origin.substring(origin.lastIndexOf('/') + 1);
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public boolean mayGrow() {
    return true;
  }

  @Override
  public String version() {
    return reason;
  }

  @Override
  public InputStream open(long from) throws IOException {
    throw new IOException(reason);
  }

  @Override
  public FileBytes bytesAnywhere() throws IOException {
    throw new IOException(reason);
  }

  @Override
  public StoredFile beside(String name) throws IOException {
    throw new IOException(reason);
  }
}
