package io.sluice.service.seal;

import io.sluice.schema.StoredPart;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A dataset's folder in its store. A file in it names the deployment that it is of, so that nobody
 * deletes what another's records name, and a folder that is not mounted is not taken for an empty
 * one.
 */
final class StoreFolder {
  /** After so long what no record names will not be named any more. */
  static final Duration GRACE = Duration.ofDays(1);

  private static final String OWNER = "owner";
  private static final Pattern OWN = Pattern.compile("[0-9a-f]{64}\\.(rows|side)|sealing-.*\\.tmp");

  private final SegmentStore store;
  private final String dataset;
  private final Path folder;

  private StoreFolder(SegmentStore store, String dataset) {
    this.store = store;
    this.dataset = dataset;
    this.folder = store.folder().resolve(dataset);
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
    StoreFolder opened = new StoreFolder(store, dataset);
    Path file = opened.folder.resolve(OWNER);
    if (!used && !Files.exists(file)) {
      Files.createDirectories(opened.folder);
      opened.move(opened.temporary(owner), file);
    }
    if (!Files.exists(file)) {
      throw new SealingException(
          opened.folder + " does not have what was sealed into it: is the store mounted?");
    }
    String found = Files.readString(file);
    if (!found.equals(owner)) {
      throw new SealingException(
          opened.folder
              + " is of another deployment, '"
              + found
              + "'; if that is no more, delete "
              + file);
    }
    return opened;
  }

  private Path temporary(String content) throws IOException {
    Path file = unnamed();
    Files.writeString(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
    return file;
  }

  private Path unnamed() {
    return folder.resolve("sealing-" + UUID.randomUUID() + ".tmp");
  }

  /** Gives a whole file its name, which it keeps from then on, also after a power cut. */
  private void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory = FileChannel.open(folder)) {
      directory.force(true);
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
    Path file = unnamed();
    try {
      ObjectFile written = ObjectFile.write(file, parts, alignment);
      String object = naming.name(dataset, written.sha256());
      move(file, store.file(object));
      return written.parts().stream()
          .map(part -> new StoredPart(object, part.offset(), part.length(), part.sha256()))
          .toList();
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /**
   * Deletes objects that nobody names and are older than {@link #GRACE}.
   *
   * @param named objects that records name
   */
  void sweep(Set<String> named, Instant now) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (OWN.matcher(name).matches()
            && !named.contains(dataset + "/" + name)
            && Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(GRACE))) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
