package io.sluice.service.seal;

import io.sluice.corpus.store.S3Objects;
import io.sluice.corpus.store.S3Settings;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Objects of a bucket: each is one request, after which it is there under its name. */
final class BucketObjects implements SealedObjects {
  /** A store that does not answer longer is one for which a sealer is given up, and says so. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final int LONGEST_OWNER = 4096;

  private final S3Objects bucket;
  private final SegmentStore store;
  private final String dataset;

  private BucketObjects(S3Objects bucket, SegmentStore store, String dataset) {
    this.bucket = bucket;
    this.store = store;
    this.dataset = dataset;
  }

  static BucketObjects open(SegmentStore store, String dataset) {
    S3Settings settings = new S3Settings(PATIENCE, waiting -> {});
    return new BucketObjects(S3Objects.open(settings), store, dataset);
  }

  @Override
  public String place() {
    return store.uri() + "/" + dataset;
  }

  private String ownerFile() {
    return place() + "/" + OWNER;
  }

  @Override
  public Optional<String> owner() throws IOException {
    return bucket
        .read(ownerFile(), LONGEST_OWNER)
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public void claim(String owner) throws IOException {
    ObjectBytes bytes = ObjectBytes.of(List.of(List.of(owner.getBytes(StandardCharsets.UTF_8))), 1);
    bucket.put(ownerFile(), content(bytes));
  }

  @Override
  public void put(String object, ObjectBytes bytes) throws IOException {
    bucket.put(store.location(object), content(bytes));
  }

  private static S3Objects.Content content(ObjectBytes bytes) {
    return new S3Objects.Content(bytes.length(), bytes.md5(), bytes::stream);
  }

  @Override
  public void sweep(Predicate<String> orphaned, Instant before) throws IOException {
    for (String location : bucket.writtenBefore(place(), before)) {
      if (orphaned.test(location.substring(store.uri().length() + 1))) {
        bucket.delete(location);
      }
    }
  }

  @Override
  public void close() {
    bucket.close();
  }
}
