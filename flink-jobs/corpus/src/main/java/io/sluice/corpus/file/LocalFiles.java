package io.sluice.corpus.file;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of this machine: a file, those below a folder, or those of a pattern that is no file
 * itself. The entries of a folder are in the order of their names. Links are followed. What is
 * below a folder and cannot be read is an {@link UnreadFile}.
 */
public final class LocalFiles implements FileStore {
  @Override
  public SourceFiles list(String path, boolean gitignore) {
    Path named = Path.of(path);
    Walk walk = new Walk(gitignore);
    if (!PathPattern.isOne(path) || Files.exists(named)) {
      walk.addNamed(named);
      return walk.found();
    }
    PathPattern pattern = PathPattern.of(named.toString());
    boolean ofRoot = named.isAbsolute() && pattern.folder().isEmpty();
    walk.addNamed(Path.of(ofRoot ? "/" : pattern.folder()));
    walk.files.removeIf(
        file ->
            !pattern.has(file.origin())
                && !(isFolder(file) && pattern.mayHaveBelow(file.origin())));
    return walk.found();
  }

  private static boolean isFolder(SourceFile file) {
    return file.id().endsWith("/");
  }

  @Override
  public StoredFile find(String location) throws IOException {
    return LocalFile.of(Path.of(location));
  }

  /** One way through a folder. */
  private static final class Walk {
    private final List<SourceFile> files = new ArrayList<>();
    private final Set<Path> open = new HashSet<>();
    private final boolean gitignore;
    private long hidden;
    private long ignored;

    Walk(boolean gitignore) {
      this.gitignore = gitignore;
    }

    SourceFiles found() {
      return new SourceFiles(files, hidden, ignored);
    }

    private void addNamed(Path path) {
      if (!Files.exists(path)) {
        throw new BadInputException("PATH must exist: " + path);
      }
      String name = path.toAbsolutePath().normalize().getFileName() + "";
      if (!Files.isDirectory(path)) {
        if (!Files.isReadable(path) || !Files.isRegularFile(path)) {
          throw new BadInputException("PATH must be a file or folder that can be read: " + path);
        }
        addFile(path, name, true);
        return;
      }
      if (!Files.isReadable(path)) {
        throw new BadInputException("PATH must be readable: " + path);
      }
      addFolder(path, name, null);
    }

    private void addFolder(Path folder, String id, @Nullable IgnoreRules above) {
      try {
        Path real = folder.toRealPath();
        if (!open.add(real)) {
          addUnread(folder, id + "/", "a link must not lead back to a folder above it");
          return;
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
            addEntry(entry, id + "/" + name);
          }
        }
        open.remove(real);
      } catch (IOException | UncheckedIOException e) {
        addUnread(folder, id + "/", "the folder cannot be read: " + e);
      }
    }

    private void addEntry(Path path, String id) {
      if (!Files.exists(path)) {
        addUnread(path, id, "cannot be read: it is a link that leads to nothing, or was removed");
      } else if (!Files.isRegularFile(path)) {
        addUnread(path, id, "cannot be read: it is neither a file nor a folder");
      } else if (!Files.isReadable(path)) {
        addUnread(path, id, "cannot be read: permission denied");
      } else {
        addFile(path, id, false);
      }
    }

    private void addUnread(Path path, String id, String reason) {
      files.add(new SourceFile(UnreadFile.of(path, reason), id, false));
    }

    private static List<Path> entries(Path folder) throws IOException {
      try (Stream<Path> entries = Files.list(folder)) {
        return entries
            .sorted(Comparator.comparing(entry -> entry.getFileName().toString()))
            .toList();
      }
    }

    private void addFile(Path path, String id, boolean named) {
      try {
        files.add(new SourceFile(LocalFile.of(path), id, named));
      } catch (IOException e) {
        if (named) {
          throw new BadInputException("PATH must be readable: " + path + ": " + e, e);
        }
        addUnread(path, id, "cannot be read: " + e);
      }
    }
  }
}
