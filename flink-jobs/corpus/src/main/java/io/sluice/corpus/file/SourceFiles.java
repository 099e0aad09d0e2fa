package io.sluice.corpus.file;

import io.sluice.control.error.BadInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files below the paths that a user named, in the order of these. Everything is listed and
 * checked before the first file is read, so that a wrong path leaves the corpus as it was.
 *
 * @param hidden files and folders that were left out because their names start with '.'
 * @param ignored files and folders that were left out because a {@code .gitignore} file says so
 */
public record SourceFiles(List<SourceFile> files, long hidden, long ignored) {
  /** Copies the list. */
  public SourceFiles {
    files = List.copyOf(files);
  }

  /**
   * Lists the files.
   *
   * @param gitignore as {@link FileStore#list} has it
   * @throws BadInputException if a path is missing or cannot be read, a folder holds nothing, or
   *     two files would have the same id
   */
  public static SourceFiles below(FileStore store, List<String> paths, boolean gitignore) {
    return listed(store, paths, gitignore, true);
  }

  /** Lists files where there may be none yet; see {@link #below(FileStore, List, boolean)}. */
  public static SourceFiles now(FileStore store, List<String> paths, boolean gitignore) {
    return listed(store, paths, gitignore, false);
  }

  private static SourceFiles listed(
      FileStore store, List<String> paths, boolean gitignore, boolean some) {
    Map<String, SourceFile> byId = new HashMap<>();
    List<SourceFile> files = new ArrayList<>();
    long hidden = 0;
    long ignored = 0;
    for (String path : paths) {
      SourceFiles found = store.list(path, gitignore);
      if (some && found.files.isEmpty()) {
        throw new BadInputException(
            "PATH must hold at least one file that is not hidden"
                + (gitignore ? " or ignored: " : ": ")
                + path);
      }
      for (SourceFile file : found.files) {
        requireNoOther(byId.putIfAbsent(file.id(), file), file);
      }
      files.addAll(found.files);
      hidden += found.hidden;
      ignored += found.ignored;
    }
    return new SourceFiles(files, hidden, ignored);
  }

  /** Lists files of this machine; see {@link #below(FileStore, List, boolean)}. */
  public static SourceFiles local(List<Path> paths, boolean gitignore) {
    return below(new LocalFiles(), paths.stream().map(Path::toString).toList(), gitignore);
  }

  /** Size of all of them. */
  public long bytes() {
    return files.stream().mapToLong(SourceFile::bytes).sum();
  }

  private static void requireNoOther(@Nullable SourceFile other, SourceFile file) {
    if (other != null) {
      throw new BadInputException(
          "documents of "
              + other.origin()
              + " and "
              + file.origin()
              + " would have the same ids ('"
              + file.id()
              + "'): name a folder that holds both");
    }
  }
}
