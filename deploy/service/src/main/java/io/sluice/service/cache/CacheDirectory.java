package io.sluice.service.cache;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.segment.CacheFolder;
import io.sluice.service.local.StateLock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of a cache, which one process of its user has. Objects get their names once they are
 * whole and durable, so what is found there is whole, however the process ended that had it.
 */
final class CacheDirectory implements AutoCloseable {
  private static final String OWNER = "OWNER";
  private static final String BEGUN = "tmp";
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");
  private static final Pattern PLACE =
      Pattern.compile(
          CacheFolder.OBJECTS
              + "/[0-9a-f]{16}/[A-Za-z0-9][A-Za-z0-9_-]{0,62}/[0-9a-f]{64}\\.(rows|side)");

  private final Path folder;
  private final StateLock lock;

  private CacheDirectory(Path folder, StateLock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * A file of the folder.
   *
   * @param place its path below the folder
   */
  record Found(String place, long bytes, long modified) {}

  /**
   * Takes a folder, which is made when missing.
   *
   * @throws BadInputException if it has what no cache has put there, is another user's, may be
   *     written by others, or is used by another cache
   */
  static CacheDirectory take(Path folder) {
    try {
      boolean isNew = Files.notExists(folder, LinkOption.NOFOLLOW_LINKS);
      Files.createDirectories(folder);
      requireOwn(folder, isNew);
      StateLock lock = StateLock.take(folder, "cache folder", "cache");
      try {
        return prepared(new CacheDirectory(folder, lock));
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new BadInputException(
          "cache folder must be one that can be made and written: " + folder + ": " + e, e);
    }
  }

  private static void requireOwn(Path folder, boolean isNew) throws IOException {
    boolean owned = Files.exists(folder.resolve(OWNER), LinkOption.NOFOLLOW_LINKS);
    if (!owned && !isEmpty(folder)) {
      throw new BadInputException(
          "cache folder must be empty, or a cache's: " + folder + " has other files");
    }
    if (!Files.getOwner(folder).getName().equals(System.getProperty("user.name"))) {
      throw new BadInputException(
          "cache folder must be of the user who runs the cache: "
              + folder
              + " is of "
              + Files.getOwner(folder).getName());
    }
    if (isNew) {
      Files.setPosixFilePermissions(folder, PRIVATE);
    }
    Set<PosixFilePermission> found = Files.getPosixFilePermissions(folder);
    if (!PRIVATE.containsAll(found)) {
      throw new BadInputException(
          "cache folder must have the permissions rwx------: "
              + folder
              + " has "
              + PosixFilePermissions.toString(found));
    }
    if (!owned) {
      Files.writeString(folder.resolve(OWNER), CacheFolder.GREETING + "\n");
    } else if (!Files.readString(folder.resolve(OWNER)).equals(CacheFolder.GREETING + "\n")) {
      throw new BadInputException(
          "cache folder must be of this version: " + folder.resolve(OWNER) + " says otherwise");
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  private static CacheDirectory prepared(CacheDirectory directory) throws IOException {
    Files.createDirectories(directory.folder.resolve(CacheFolder.OBJECTS));
    Path begun = Files.createDirectories(directory.folder.resolve(BEGUN));
    try (Stream<Path> files = Files.list(begun)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
    return directory;
  }

  CacheFolder folder() {
    return new CacheFolder(folder);
  }

  /** The objects that are there, the oldest first. */
  List<Found> objects() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve(CacheFolder.OBJECTS))) {
      List<Found> found = new ArrayList<>();
      for (Path file : (Iterable<Path>) files::iterator) {
        String place = folder.relativize(file).toString();
        if (PLACE.matcher(place).matches()) {
          found.add(new Found(place, Files.size(file), Files.getLastModifiedTime(file).toMillis()));
        }
      }
      found.sort(Comparator.comparingLong(Found::modified).thenComparing(Found::place));
      return found;
    }
  }

  /** The file at a place. */
  Path file(String place) {
    return folder.resolve(place);
  }

  /** Where the bytes of an object are put until they are whole: nowhere else is it so named. */
  Path begun(String place) {
    return folder.resolve(BEGUN).resolve(place.replace('/', '.'));
  }

  /** Gives a file that is whole its place. */
  void name(Path begun, String place) throws IOException {
    Path file = file(place);
    Files.createDirectories(file.getParent());
    Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE);
    // The name is kept after a power cut, too.
    try (FileChannel parent = FileChannel.open(file.getParent())) {
      parent.force(true);
    }
  }

  @Override
  public void close() {
    lock.close();
  }
}
