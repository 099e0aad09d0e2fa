package io.sluice.corpus.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jgit.ignore.IgnoreNode;
import org.jspecify.annotations.Nullable;

/**
 * What the {@code .gitignore} files of a folder and of those above it leave out, as git reads them:
 * the rules of the nearest folder decide, of its rules the last that matches.
 */
final class IgnoreRules {
  /** The name of the files. */
  private static final String FILE = ".gitignore";

  private final @Nullable IgnoreRules above;
  private final Path folder;
  private final IgnoreNode rules;

  private IgnoreRules(@Nullable IgnoreRules above, Path folder, IgnoreNode rules) {
    this.above = above;
    this.folder = folder;
    this.rules = rules;
  }

  /**
   * The rules of a folder.
   *
   * @param above rules of the folder that it was found in; null if people named it
   * @throws IOException if its file is there and cannot be read
   */
  static IgnoreRules of(@Nullable IgnoreRules above, Path folder) throws IOException {
    IgnoreNode rules = new IgnoreNode();
    Path file = folder.resolve(FILE);
    if (Files.isRegularFile(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        rules.parse(file.toString(), in);
      }
    }
    return new IgnoreRules(above, folder, rules);
  }

  /** Whether an entry of the folder is left out. */
  boolean leaveOut(Path entry) {
    boolean isFolder = Files.isDirectory(entry);
    for (IgnoreRules each = this; each != null; each = each.above) {
      String path = each.folder.relativize(entry).toString().replace('\\', '/');
      Boolean ignored = each.rules.checkIgnored(path, isFolder);
      if (ignored != null) {
        return ignored;
      }
    }
    return false;
  }
}
