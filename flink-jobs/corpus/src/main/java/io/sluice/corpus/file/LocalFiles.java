package io.sluice.corpus.file;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
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
 * The files of this machine; the entries of a folder are in the order of their names. Links are
 * followed.
 */
public final class LocalFiles implements FileStore {
  @Override
  public SourceFiles list(String path, boolean gitignore) {
    Walk walk = new Walk(gitignore);
    walk.addNamed(Path.of(path));
    return new SourceFiles(walk.files, walk.hidden, walk.ignored);
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

    private void addNamed(Path path) {
      if (!Files.exists(path)) {
        throw new BadInputException("PATH must exist: " + path);
      }
      String name = path.toAbsolutePath().normalize().getFileName() + "";
      if (!Files.isDirectory(path)) {
        addFile(path, name, true);
        return;
      }
      addFolder(path, name, null);
      if (files.isEmpty()) {
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
        return entries
            .sorted(Comparator.comparing(entry -> entry.getFileName().toString()))
            .toList();
      }
    }

    private void addFile(Path path, String id, boolean named) {
      if (!Files.isReadable(path) || !Files.isRegularFile(path)) {
        throw new BadInputException("PATH must be a file or folder that can be read: " + path);
      }
      try {
        files.add(new SourceFile(LocalFile.of(path), id, named));
      } catch (IOException e) {
        throw new BadInputException("PATH must be readable: " + path + ": " + e, e);
      }
    }
  }
}
