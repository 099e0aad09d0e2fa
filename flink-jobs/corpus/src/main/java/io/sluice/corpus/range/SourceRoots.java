package io.sluice.corpus.range;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.LocalFile;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.store.FileStores;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * The folders of this machine, and the buckets and folders of object stores, below which files are
 * read that a corpus names. Whoever may write to the corpus may name any path, so a file of this
 * machine counts by its real one, links followed.
 *
 * @param folders absolute paths and {@code s3://BUCKET[/FOLDER]}; none to read nothing
 */
public record SourceRoots(List<String> folders) implements RangeSource, Serializable {
  /** No file is read. */
  public static final SourceRoots NONE = new SourceRoots(List.of());

  /** Every file is, but those of the kernel. */
  public static final SourceRoots ALL = new SourceRoots(List.of("/"));

  private static final long serialVersionUID = 1L;
  private static final List<Path> KERNEL =
      List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));
  private static final int LONGEST_NAME = 255;

  /** Copies the list. */
  public SourceRoots {
    folders = List.copyOf(folders);
  }

  /** The folders by the paths that people gave. */
  public static SourceRoots of(List<Path> folders) {
    return named(folders.stream().map(Path::toString).toList());
  }

  /** The same where some may be of an object store. */
  public static SourceRoots named(List<String> folders) {
    return new SourceRoots(
        folders.stream()
            .map(each -> FileStores.isRemote(each) ? each : LocalFile.location(Path.of(each)))
            .toList());
  }

  /**
   * Checks that an object may be read.
   *
   * @throws RefusedException if it is below none of the folders
   */
  void requireObject(String location) throws RefusedException {
    boolean below = false;
    for (String folder : folders) {
      String prefix = folder.endsWith("/") ? folder : folder + "/";
      below |= FileStores.isRemote(folder) && location.startsWith(prefix);
    }
    if (!below) {
      throw belowNone();
    }
    for (String name : location.split("/", -1)) {
      if (name.equals(".") || name.equals("..")) {
        throw new RefusedException("must have no '.' and '..' in its key");
      }
    }
  }

  @Override
  public StoredFile find(String location) throws IOException, RefusedException {
    Path path = path(location);
    Path real;
    try {
      real = path.toRealPath();
    } catch (NoSuchFileException e) {
      throw new RefusedException("is missing");
    } catch (AccessDeniedException e) {
      throw new RefusedException("may not be read by the service");
    } catch (FileSystemException e) {
      if ("Not a directory".equals(e.getReason())) {
        throw new RefusedException("is missing");
      }
      throw new SourceFailedException(location + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new SourceFailedException(location + ": " + e.getMessage(), e);
    }
    requireBelow(real);
    if (!Files.isRegularFile(real)) {
      throw new RefusedException("is no file");
    }
    if (!Files.isReadable(real)) {
      throw new RefusedException("may not be read by the service");
    }
    return SourceFileAt.of(this, location, () -> LocalFile.of(real));
  }

  private void requireBelow(Path real) throws IOException, RefusedException {
    boolean below = false;
    for (String folder : folders) {
      below |= !FileStores.isRemote(folder) && real.startsWith(real(Path.of(folder)));
    }
    if (!below || KERNEL.stream().anyMatch(real::startsWith)) {
      throw belowNone();
    }
  }

  private RefusedException belowNone() {
    return new RefusedException(
        "is below none of the folders that the service may read (--source-root): "
            + String.join(", ", folders));
  }

  private static Path real(Path folder) throws IOException {
    try {
      return folder.toRealPath();
    } catch (NoSuchFileException e) {
      return folder;
    } catch (IOException e) {
      throw new SourceFailedException(folder + ": " + e.getMessage(), e);
    }
  }

  private static Path path(String location) throws RefusedException {
    try {
      Path path = Path.of(location);
      boolean usable =
          path.isAbsolute() && path.normalize().equals(path) && path.getNameCount() > 0;
      for (Path name : path) {
        usable &= name.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME;
      }
      if (usable) {
        return path;
      }
    } catch (InvalidPathException e) {
      // Said below.
    }
    throw new RefusedException("is not the absolute path of a file");
  }
}
