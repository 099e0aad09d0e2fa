package io.sluice.control.digest;

import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** How the objects of a store come to be files here. */
public interface StoreFiles {
  /** Those of stores that are folders. */
  StoreFiles FOLDERS =
      new StoreFiles() {
        @Override
        public boolean reads(SegmentStore store) {
          return !store.isBucket();
        }

        @Override
        public Path file(SegmentStore store, String object) {
          return store.file(object);
        }
      };

  /** Whether they do, of this store. */
  boolean reads(SegmentStore store);

  /** The file of an object, until another object of its kind is asked for. */
  Path file(SegmentStore store, String object) throws IOException;

  /** The same, opened. */
  default FileChannel open(SegmentStore store, String object) throws IOException {
    return FileChannel.open(file(store, object));
  }
}
