package io.sluice.lab.demo.recipe;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.docs.MarkdownPage.Block;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder that a recipe is gone through in: the launcher, and folders with this project's own
 * files as its pages name them.
 */
public final class Workshop {
  private static final String LAUNCHER = "sluice";
  private static final List<Source> SOURCES =
      List.of(
          new Source("java", "flink-jobs/jobs/src", ".java"),
          new Source("python", "trainer-bridge/python/src", ".py"),
          new Source("pages", "docs", ".md"));

  private final Path folder;

  /** A folder of the project, and which of its files a recipe has. */
  private record Source(String name, String folder, String ending) {}

  private Workshop(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes the folder. Files are linked one by one, so that what builds and tests leave beside them
   * is no document.
   *
   * @param project folder of the sources
   * @param launcher is what lines name
   * @throws BadInputException if the project has no such files, or the folder cannot be written
   */
  public static Workshop make(Path project, Path launcher, Path folder) {
    try {
      Files.createDirectories(folder);
      link(launcher, folder.resolve(LAUNCHER));
      for (Source source : SOURCES) {
        link(project, source, folder.resolve(source.name));
      }
      return new Workshop(folder);
    } catch (IOException | UncheckedIOException e) {
      throw new BadInputException(
          "--recipe needs this project's sources in "
              + project
              + ", and --state-dir a directory that can be written: "
              + e,
          e);
    }
  }

  private static void link(Path project, Source source, Path folder) throws IOException {
    Path from = project.resolve(source.folder).toRealPath();
    List<Path> files;
    try (Stream<Path> found = Files.walk(from)) {
      files = found.filter(file -> file.toString().endsWith(source.ending)).sorted().toList();
    }
    for (Path file : files) {
      Path link = folder.resolve(from.relativize(file).toString());
      Files.createDirectories(link.getParent());
      link(file, link);
    }
  }

  private static void link(Path file, Path link) throws IOException {
    Files.createSymbolicLink(link, file.toRealPath());
  }

  /** Where lines are typed. */
  Path folder() {
    return folder;
  }

  /** A file with what a block says. */
  Path write(Block block) {
    Path file = block.file(folder);
    try {
      return Files.writeString(file, block.text());
    } catch (IOException e) {
      throw new BadInputException("cannot write " + file + ": " + e, e);
    }
  }
}
