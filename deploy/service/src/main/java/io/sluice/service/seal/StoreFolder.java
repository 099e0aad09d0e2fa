package io.sluice.service.seal;

import io.sluice.schema.StoredPart;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A dataset's folder in its store. A file in it names the deployment that it is of, so that nobody
 * deletes what another's records name, and a folder that is not mounted is not taken for an empty
 * one.
 */
final class StoreFolder implements AutoCloseable {
  /** After so long what no record names will not be named any more. */
  static final Duration GRACE = Duration.ofDays(1);

  private static final Pattern OWN = Pattern.compile("[^/]+/[0-9a-f]{64}\\.(rows|side)");

  private final SealedObjects objects;
  private final String dataset;

  private StoreFolder(SealedObjects objects, String dataset) {
    this.objects = objects;
    this.dataset = dataset;
  }

  /**
   * Opens a folder, which is made for a dataset of which nothing is sealed.
   *
   * @param owner the deployment, in a line
   * @param used whether records name objects
   * @throws SealingException if it is another's, or not there though it was used
   */
  static StoreFolder open(SegmentStore store, String dataset, String owner, boolean used)
      throws IOException {
    SealedObjects objects = SealedObjects.open(store, dataset);
    try {
      requireOwn(objects, owner, used);
    } catch (IOException | RuntimeException e) {
      objects.close();
      throw e;
    }
    return new StoreFolder(objects, dataset);
  }

  private static void requireOwn(SealedObjects objects, String owner, boolean used)
      throws IOException {
    if (!used && objects.owner().isEmpty()) {
      objects.claim(owner);
    }
    Optional<String> found = objects.owner();
    if (found.isEmpty()) {
      throw new SealingException(
          objects.place() + " does not have what was sealed into it: is the store mounted?");
    }
    if (!found.get().equals(owner)) {
      throw new SealingException(
          objects.place()
              + " is of another deployment, '"
              + found.get()
              + "'; if that is no more, delete "
              + objects.place()
              + "/"
              + SealedObjects.OWNER);
    }
  }

  /**
   * Stores an object with the rows of segments.
   *
   * @return the part of each
   */
  List<StoredPart> storeRows(List<List<byte[]>> segments) throws IOException {
    return store(segments, SegmentStore.DATA_ALIGNMENT, SegmentStore::rows);
  }

  /**
   * Stores an object with the sides of segments.
   *
   * @return the part of each
   */
  List<StoredPart> storeSides(List<List<byte[]>> segments) throws IOException {
    return store(segments, SegmentStore.SIDE_ALIGNMENT, SegmentStore::side);
  }

  private interface Naming {
    String name(String dataset, String sha256);
  }

  private List<StoredPart> store(List<List<byte[]>> parts, int alignment, Naming naming)
      throws IOException {
    ObjectBytes bytes = ObjectBytes.of(parts, alignment);
    String object = naming.name(dataset, bytes.sha256());
    objects.put(object, bytes);
    return bytes.parts().stream()
        .map(part -> new StoredPart(object, part.offset(), part.length(), part.sha256()))
        .toList();
  }

  /**
   * Deletes objects that nobody names and are older than {@link #GRACE}.
   *
   * @param named objects that records name
   */
  void sweep(Set<String> named, Instant now) throws IOException {
    objects.sweep(
        object -> OWN.matcher(object).matches() && !named.contains(object), now.minus(GRACE));
  }

  @Override
  public void close() {
    objects.close();
  }
}
