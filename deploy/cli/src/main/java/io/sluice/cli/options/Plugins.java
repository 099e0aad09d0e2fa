package io.sluice.cli.options;

import io.sluice.control.error.BadInputException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * A folder of jars with policies and metrics of one's own. Whoever starts the JVM puts them on its
 * class path, and every JVM that it starts has the same; here they are checked.
 */
final class Plugins {
  private Plugins() {}

  /**
   * Checks that the folder's jars can be read and are on this process's class path.
   *
   * @param named what names the folder, for messages
   * @throws BadInputException naming the folder, or the jar
   */
  static void require(String named, Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new BadInputException(named + " must be a directory of jars: " + folder);
    }
    Set<Path> loaded = new HashSet<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      loaded.add(place(Path.of(entry)));
    }
    for (Path jar : jars(named, folder)) {
      try (JarFile opened = new JarFile(jar.toFile())) {
        opened.size();
      } catch (IOException e) {
        throw new BadInputException(named + " must hold jars: " + jar + ": " + e.getMessage(), e);
      }
      if (!loaded.contains(place(jar))) {
        throw new BadInputException(
            named
                + " is put on the class path by the launcher 'sluice': start with it, or with "
                + jar
                + " on the class path");
      }
    }
  }

  /** A file whatever it is called. */
  private static Path place(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file.toAbsolutePath();
    }
  }

  private static List<Path> jars(String named, Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new BadInputException(named + " must be readable: " + e.getMessage(), e);
    }
  }
}
