package io.sluice.service.supervise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a supervised process is.
 *
 * @param name also names its pid file and its log
 * @param program what runs
 * @param scratch directories that are emptied before each start
 */
public record Supervised(String name, Program program, List<Path> scratch) {
  /** Copies the list. */
  public Supervised {
    scratch = List.copyOf(scratch);
  }

  /** A process without directories of its own. */
  public static Supervised of(String name, Program program) {
    return new Supervised(name, program, List.of());
  }

  /** Leaves its own directories there and empty. */
  void renewScratch() throws IOException {
    for (Path directory : scratch) {
      renew(directory);
    }
  }

  private static void renew(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      try (Stream<Path> found = Files.walk(directory)) {
        for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(path);
        }
      }
    }
    Files.createDirectories(directory);
  }
}
