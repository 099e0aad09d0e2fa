package io.sluice.lab.demo;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files that this project keeps. */
public final class ProjectFiles {
  private static final Set<String> FOLDERS =
      Set.of("schemas", "flink-jobs", "trainer-bridge", "deploy", "docs");
  private static final Set<String> SKIPPED = Set.of("target", "build", "node_modules", "golden");

  private ProjectFiles() {}

  /**
   * All of them, by name.
   *
   * @param project the folder of the sources
   * @throws BadInputException if there are none
   */
  public static List<Path> of(Path project) {
    try (Stream<Path> paths = Files.walk(project)) {
      List<Path> found =
          paths
              .filter(Files::isRegularFile)
              .filter(path -> isSource(project.relativize(path)))
              .sorted()
              .toList();
      if (found.stream().noneMatch(path -> path.toString().endsWith(".java"))) {
        throw new BadInputException(
            "the default corpus is the project's own sources, and there are none in "
                + project
                + ": give another with --corpus DIR");
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the project keeps: anything else that lies about must not change the demo's data. */
  private static boolean isSource(Path relative) {
    String top = relative.getName(0).toString();
    if (relative.getNameCount() == 1 ? !top.endsWith(".md") : !FOLDERS.contains(top)) {
      return false;
    }
    for (Path part : relative) {
      if (part.toString().startsWith(".") || SKIPPED.contains(part.toString())) {
        return false;
      }
    }
    return true;
  }

  /** The text of one. */
  public static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
