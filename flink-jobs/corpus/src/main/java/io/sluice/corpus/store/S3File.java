package io.sluice.corpus.store;

import io.sluice.corpus.file.FileBytes;
import io.sluice.corpus.file.StoredFile;
import java.io.IOException;
import java.io.InputStream;

/** An object as it was found. All that is read of it is of that version. */
record S3File(S3Store store, S3Path path, long bytes, String version) implements StoredFile {
  @Override
  public String origin() {
    return path.toString();
  }

  @Override
  public String location() {
    return path.toString();
  }

  @Override
  public String name() {
    return path.name();
  }

  @Override
  public boolean mayGrow() {
    return false;
  }

  @Override
  public InputStream open(long from) {
    return new S3Stream(this, from, bytes);
  }

  @Override
  public InputStream open(long from, long wanted) {
    return new S3Stream(this, from, Math.min(bytes, from + wanted));
  }

  @Override
  public FileBytes bytesAnywhere() {
    return new S3Bytes(this);
  }

  @Override
  public StoredFile beside(String name) throws IOException {
    String folder = path.key().substring(0, path.key().length() - path.name().length());
    return store.find(path.withKey(folder + name).toString());
  }
}
