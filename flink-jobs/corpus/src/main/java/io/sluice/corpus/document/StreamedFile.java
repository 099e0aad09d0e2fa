package io.sluice.corpus.document;

import io.sluice.corpus.file.FileBytes;
import io.sluice.corpus.file.StoredFile;
import java.io.IOException;
import java.io.InputStream;

/** A stream, which is read once and has no name. */
record StreamedFile(InputStream in) implements StoredFile {
  @Override
  public String origin() {
    return "-";
  }

  @Override
  public String location() {
    return "-";
  }

  @Override
  public String name() {
    return "-";
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public String version() {
    return "";
  }

  @Override
  public boolean mayGrow() {
    return true;
  }

  @Override
  public InputStream open(long from) throws IOException {
    in.skipNBytes(from);
    return in;
  }

  @Override
  public FileBytes bytesAnywhere() throws IOException {
    throw new IOException("a stream is read from its beginning to its end");
  }

  @Override
  public StoredFile beside(String name) throws IOException {
    throw new IOException("there is nothing beside a stream");
  }
}
