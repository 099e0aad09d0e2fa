package io.sluice.corpus.store;

import io.sluice.corpus.file.FileStore;
import io.sluice.corpus.file.LocalFile;
import io.sluice.corpus.file.LocalFiles;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.file.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** This machine, and S3 for paths that begin with {@code s3://}. */
public final class FileStores implements FileStore, Closeable {
  private final LocalFiles local = new LocalFiles();
  private final S3Settings settings;
  private @Nullable S3Store s3;

  /** Stores; nothing is asked of one before a path is. */
  public FileStores(S3Settings settings) {
    this.settings = settings;
  }

  /** Whether a path is of an object store. */
  public static boolean isRemote(String path) {
    return path.startsWith(S3Path.SCHEME);
  }

  /**
   * The location of a file whose documents say where it is.
   *
   * @param folder what relative paths start from
   * @param origin of its documents
   */
  public static String location(String folder, String origin) {
    return isRemote(origin) ? origin : LocalFile.location(Path.of(folder).resolve(origin));
  }

  @Override
  public SourceFiles list(String path, boolean gitignore) {
    return of(path).list(path, gitignore);
  }

  @Override
  public StoredFile find(String location) throws IOException {
    return of(location).find(location);
  }

  /**
   * An object of a version that was found before; the store is not asked.
   *
   * @param location one that {@link #isRemote}
   * @param bytes that it has
   */
  public StoredFile version(String location, long bytes, String version) {
    return remote().version(location, bytes, version);
  }

  private FileStore of(String path) {
    return isRemote(path) ? remote() : local;
  }

  private synchronized S3Store remote() {
    S3Store opened = s3;
    if (opened == null) {
      opened = S3Store.open(settings);
      s3 = opened;
    }
    return opened;
  }

  @Override
  public synchronized void close() {
    if (s3 != null) {
      s3.close();
    }
  }
}
