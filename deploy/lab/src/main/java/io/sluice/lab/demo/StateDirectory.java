package io.sluice.lab.demo;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The directory of a demo's log, checkpoints and corpus; a demo begins with an empty one. */
final class StateDirectory {
  private static final String MARKER = ".sluice-demo";

  private StateDirectory() {}

  /**
   * Makes the directory, or empties what an earlier demo left in it.
   *
   * @throws BadInputException if it cannot be written, or holds files that no demo made
   */
  static void empty(Path directory) {
    try {
      Files.createDirectories(directory);
      List<Path> content;
      try (Stream<Path> paths = Files.list(directory)) {
        content = paths.toList();
      }
      if (!content.isEmpty() && !Files.exists(directory.resolve(MARKER))) {
        throw new BadInputException(
            "--state-dir must be empty or hold an earlier demo, because it is emptied: "
                + directory);
      }
      for (Path path : content) {
        delete(path);
      }
      Files.createFile(directory.resolve(MARKER));
    } catch (IOException e) {
      throw new BadInputException(
          "--state-dir must be a directory that can be written: " + directory + ": " + e, e);
    }
  }

  private static void delete(Path path) throws IOException {
    try (Stream<Path> paths = Files.walk(path)) {
      for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
