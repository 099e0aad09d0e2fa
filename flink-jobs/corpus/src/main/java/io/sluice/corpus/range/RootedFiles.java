package io.sluice.corpus.range;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.store.FileStores;
import java.io.IOException;

/**
 * The files below roots, of this machine and of object stores. An object is read in the version
 * that a range names, and is not asked for before.
 */
public record RootedFiles(SourceRoots roots, FileStores stores) implements RangeSource {
  @Override
  public StoredFile find(FileRange range) throws IOException, RefusedException {
    String location = range.location();
    if (!FileStores.isRemote(location)) {
      return roots.find(location);
    }
    roots.requireObject(location);
    return SourceFileAt.of(
        this, location, () -> stores.version(location, range.fileBytes(), range.version()));
  }

  @Override
  public StoredFile find(String location) throws IOException, RefusedException {
    if (!FileStores.isRemote(location)) {
      return roots.find(location);
    }
    roots.requireObject(location);
    return SourceFileAt.of(this, location, () -> stores.find(location));
  }

  @Override
  public void close() {
    stores.close();
  }
}
