package io.sluice.corpus.file;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files below the paths that a user named: the paths in their order, the entries of a folder in
 * the order of their names. Links are followed. Everything is listed and checked before the first
 * file is read, so that a wrong path leaves the corpus as it was.
 */
public final class SourceFiles {
  private final List<SourceFile> files = new ArrayList<>();
  private final Map<String, Path> byId = new HashMap<>();
  private final Set<Path> open = new HashSet<>();
  private final boolean gitignore;
  private long hidden;
  private long ignored;

  private SourceFiles(boolean gitignore) {
    this.gitignore = gitignore;
  }

  /**
   * Lists the files.
   *
   * @param gitignore leave out what the {@code .gitignore} files below the folders say, those of
   *     the folders that are named among them, those above them not
   * @throws BadInputException if a path is missing or cannot be read, a folder holds no file, a
   *     link leads back to a folder above it, or two files would have the same id
   */
  public static SourceFiles below(List<Path> paths, boolean gitignore) {
    SourceFiles result = new SourceFiles(gitignore);
    for (Path path : paths) {
      result.addNamed(path);
    }
    return result;
  }

  public List<SourceFile> files() {
    return List.copyOf(files);
  }

  /** Files and folders that were left out because their names start with '.'. */
  public long hidden() {
    return hidden;
  }

  /** Files and folders that were left out because a {@code .gitignore} file says so. */
  public long ignored() {
    return ignored;
  }

  private void addNamed(Path path) {
    if (!Files.exists(path)) {
      throw new BadInputException("PATH must exist: " + path);
    }
    String name = path.toAbsolutePath().normalize().getFileName() + "";
    if (!Files.isDirectory(path)) {
      addFile(path, name, true);
      return;
    }
    int before = files.size();
    addFolder(path, name, null);
    if (files.size() == before) {
      throw new BadInputException(
          "PATH must hold at least one file that is not hidden"
              + (gitignore ? " or ignored: " : ": ")
              + path);
    }
  }

  private void addFolder(Path folder, String id, @Nullable IgnoreRules above) {
    try {
      Path real = folder.toRealPath();
      if (!open.add(real)) {
        throw new BadInputException("a link must not lead back to a folder above it: " + folder);
      }
      IgnoreRules rules = gitignore ? IgnoreRules.of(above, folder) : null;
      for (Path entry : entries(folder)) {
        String name = entry.getFileName().toString();
        if (name.startsWith(".")) {
          hidden++;
        } else if (rules != null && rules.leaveOut(entry)) {
          ignored++;
        } else if (Files.isDirectory(entry)) {
          addFolder(entry, id + "/" + name, rules);
        } else {
          addFile(entry, id + "/" + name, false);
        }
      }
      open.remove(real);
    } catch (IOException e) {
      throw new BadInputException("PATH must be readable: " + folder + ": " + e, e);
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted(Comparator.comparing(entry -> entry.getFileName().toString())).toList();
    }
  }

  private void addFile(Path path, String id, boolean named) {
    if (!Files.isReadable(path) || !Files.isRegularFile(path)) {
      throw new BadInputException("PATH must be a file or folder that can be read: " + path);
    }
    Path other = byId.putIfAbsent(id, path);
    if (other != null) {
      throw new BadInputException(
          "documents of "
              + other
              + " and "
              + path
              + " would have the same ids ('"
              + id
              + "'): name a folder that holds both");
    }
    try {
      files.add(new SourceFile(path, id, Files.size(path), named));
    } catch (IOException e) {
      throw new BadInputException("PATH must be readable: " + path + ": " + e, e);
    }
  }
}
