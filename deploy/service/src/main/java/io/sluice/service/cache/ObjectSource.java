package io.sluice.service.cache;

import io.sluice.corpus.store.S3Objects;
import io.sluice.corpus.store.S3Settings;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/** A store as a cache reads it. */
interface ObjectSource extends AutoCloseable {
  /** Takes the bytes of an object. */
  interface Target {
    /**
     * Takes them all.
     *
     * @throws IOException if they do not come
     */
    void take(long length, InputStream bytes) throws IOException;
  }

  /**
   * Gives the bytes of an object; more than once where the first try does not come to its end.
   *
   * @return whether there is such an object
   * @throws IOException if it cannot be read
   */
  boolean read(String object, Target target) throws IOException;

  @Override
  void close();

  /** What a store has. */
  static ObjectSource of(SegmentStore store) {
    return store.isBucket() ? Bucket.open(store) : new Folder(store);
  }

  /** A folder's files. */
  record Folder(SegmentStore store) implements ObjectSource {
    @Override
    public boolean read(String object, Target target) throws IOException {
      Path file = store.file(object);
      try (InputStream bytes = Files.newInputStream(file)) {
        target.take(Files.size(file), bytes);
        return true;
      } catch (NoSuchFileException e) {
        // A folder that is not mounted has nothing, which says nothing about the object.
        if (Files.isDirectory(store.folder())) {
          return false;
        }
        throw e;
      }
    }

    @Override
    public void close() {
      // Nothing is open between two calls.
    }
  }

  /** A bucket's objects. */
  record Bucket(SegmentStore store, S3Objects objects) implements ObjectSource {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    static Bucket open(SegmentStore store) {
      return new Bucket(store, S3Objects.openToRead(new S3Settings(PATIENCE, waiting -> {})));
    }

    @Override
    public boolean read(String object, Target target) throws IOException {
      return objects.take(store.location(object), target::take);
    }

    @Override
    public void close() {
      objects.close();
    }
  }
}
