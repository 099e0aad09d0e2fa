package io.sluice.service.seal;

import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** The objects of a dataset in a store, and a file beside them that says whose they are. */
interface SealedObjects extends AutoCloseable {
  /** Where the owner is named. */
  String OWNER = "owner";

  /** Those of a dataset. */
  static SealedObjects open(SegmentStore store, String dataset) {
    return store.isBucket()
        ? BucketObjects.open(store, dataset)
        : new FolderObjects(store, dataset);
  }

  /** Where they are, for people. */
  String place();

  /** Whose they are; empty if nobody has said so. */
  Optional<String> owner() throws IOException;

  /** Says whose they are. */
  void claim(String owner) throws IOException;

  /**
   * Stores an object, which is whole and durable under its name from then on.
   *
   * @param object its name in the store
   */
  void put(String object, ObjectBytes bytes) throws IOException;

  /**
   * Deletes what was written before a time, or was not written to its end.
   *
   * @param orphaned whether an object may go, by its name in the store
   */
  void sweep(Predicate<String> orphaned, Instant before) throws IOException;

  @Override
  void close();
}
