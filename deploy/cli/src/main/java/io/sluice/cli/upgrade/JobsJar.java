package io.sluice.cli.upgrade;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * The jobs as a jar for a Flink of the user's.
 *
 * @param version release of Sluice
 * @param flink version of Flink that it was built for
 */
record JobsJar(Path file, String version, String flink) {
  private static final String NAME = "sluice-jobs-";
  private static final String END = "-flink.jar";
  private static final String OF_FLINK = "Sluice-Flink-Version";

  /**
   * Reads what a jar says of itself.
   *
   * @throws BadInputException if it is not one of the jobs
   */
  static JobsJar read(Path file) {
    try (JarFile jar = new JarFile(file.toFile())) {
      Manifest manifest = jar.getManifest();
      Attributes said = manifest == null ? new Attributes() : manifest.getMainAttributes();
      String version = said.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      String flink = said.getValue(OF_FLINK);
      if (version == null || flink == null) {
        throw new BadInputException(
            "--jar must be the jobs' jar of a release, whose manifest has "
                + OF_FLINK
                + ": "
                + file);
      }
      return new JobsJar(file.toAbsolutePath().normalize(), version, flink);
    } catch (IOException e) {
      throw new BadInputException("--jar must be a jar that can be read: " + file + ": " + e, e);
    }
  }

  /**
   * The one that was handed out with this command: beside its lib or the folder of that, or in the
   * checkout that it was built in.
   *
   * @throws BadInputException if there is none, or more than one
   */
  static JobsJar ofThisRelease() {
    Path code;
    try {
      code = Path.of(JobsJar.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the command's own place is no path", e);
    }
    return read(beside(Objects.requireNonNull(code.getParent())));
  }

  /** The same of a command whose jar, or folder of classes, is in a folder. */
  static Path beside(Path lib) {
    Optional<Path> root = Optional.ofNullable(lib.getParent());
    List<Path> folders = new ArrayList<>(List.of(lib));
    root.ifPresent(folders::add);
    root.map(Path::getParent).ifPresent(folders::add);
    root.map(Path::getParent)
        .map(Path::getParent)
        .ifPresent(checkout -> folders.add(checkout.resolve("flink-jobs/jobs/target")));
    for (Path folder : folders) {
      List<Path> found = in(folder);
      if (found.size() > 1) {
        throw new BadInputException("--jar must be given, for there are several: " + found);
      }
      if (!found.isEmpty()) {
        return found.get(0);
      }
    }
    throw new BadInputException(
        "--jar must be given: no "
            + NAME
            + "VERSION"
            + END
            + " in "
            + folders
            + "; 'mvn -Pfast package' makes it in a checkout, and a release has it");
  }

  private static List<Path> in(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(NAME))
          .filter(file -> file.getFileName().toString().endsWith(END))
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** What the jar of a release is called. */
  static String named(String version) {
    return NAME + version + END;
  }

  /** Whether a Flink runs it: the first two numbers of the versions must be the same. */
  boolean fits(String version) {
    return series(flink).equals(series(version));
  }

  private static String series(String version) {
    String[] parts = version.split("[.+-]", -1);
    return parts.length < 2 ? version : parts[0] + "." + parts[1];
  }

  /** Whether a job of a release is newer than this, as far as the two can be compared. */
  boolean isOlderThan(String running) {
    try {
      return Version.parse(version).compareTo(Version.parse(running)) < 0;
    } catch (IllegalArgumentException notNumbered) {
      return false;
    }
  }
}
