package io.sluice.refine.model;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** Writes directories that are there whole, or not at all. */
final class NewDirectory {
  private NewDirectory() {}

  /**
   * Writes files into a directory that must not be there yet, or be empty.
   *
   * @param files contents by name
   * @throws BadInputException if the directory has something, or cannot be written
   */
  static void write(Path directory, Map<String, byte[]> files) {
    Path target = directory.toAbsolutePath();
    Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
    try {
      Files.createDirectories(unfinished);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Files.write(unfinished.resolve(file.getKey()), file.getValue());
      }
      // An empty directory gives way; one that has something does not.
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      delete(unfinished);
      throw new BadInputException(
          Files.exists(target)
              ? "the model's directory must not be there yet: " + directory
              : "the model cannot be written to " + directory + ": " + e,
          e);
    }
  }

  private static void delete(Path unfinished) {
    if (!Files.isDirectory(unfinished)) {
      return;
    }
    try (var listed = Files.list(unfinished)) {
      for (Path file : List.copyOf(listed.toList())) {
        Files.delete(file);
      }
      Files.delete(unfinished);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
