package io.sluice.cli.audit;

import io.sluice.control.digest.StoreFiles;
import io.sluice.corpus.store.S3Objects;
import io.sluice.corpus.store.S3Settings;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Objects of folders where they are, and of buckets as files, of each kind one at a time. */
public final class FetchedObjects implements StoreFiles, AutoCloseable {
  private final Path parent;
  private final Consumer<String> notice;
  private final Map<String, String> fetched = new HashMap<>();
  private @Nullable Path folder;
  private @Nullable S3Objects bucket;

  private FetchedObjects(Path parent, Consumer<String> notice) {
    this.parent = parent;
    this.notice = notice;
  }

  /**
   * Objects that are fetched into a folder.
   *
   * @param parent where that is made, once it is needed
   * @param notice told what is waited for
   */
  public static FetchedObjects in(Path parent, Consumer<String> notice) {
    return new FetchedObjects(parent, notice);
  }

  @Override
  public boolean reads(SegmentStore store) {
    return true;
  }

  @Override
  public Path file(SegmentStore store, String object) throws IOException {
    if (!store.isBucket()) {
      return store.file(object);
    }
    String location = store.location(object);
    String kind = object.substring(object.lastIndexOf('.') + 1);
    Path file = folder().resolve(kind);
    if (!location.equals(fetched.get(kind))) {
      fetched.remove(kind);
      boolean there =
          bucket()
              .take(
                  location,
                  (length, bytes) -> Files.copy(bytes, file, StandardCopyOption.REPLACE_EXISTING));
      if (!there) {
        throw new NoSuchFileException(location);
      }
      fetched.put(kind, location);
    }
    return file;
  }

  private Path folder() throws IOException {
    Path known = folder;
    if (known == null) {
      Files.createDirectories(parent);
      known = Files.createTempDirectory(parent, "audit");
      folder = known;
    }
    return known;
  }

  private S3Objects bucket() {
    S3Objects known = bucket;
    if (known == null) {
      known = S3Objects.openToRead(S3Settings.usual(notice));
      bucket = known;
    }
    return known;
  }

  @Override
  public void close() {
    S3Objects open = bucket;
    if (open != null) {
      open.close();
    }
    Path made = folder;
    if (made != null) {
      try {
        for (String kind : fetched.keySet()) {
          Files.deleteIfExists(made.resolve(kind));
        }
        Files.delete(made);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + made, e);
      }
    }
  }
}
