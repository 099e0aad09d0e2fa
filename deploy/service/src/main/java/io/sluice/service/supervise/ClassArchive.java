package io.sluice.service.supervise;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * What a program's classes look like in memory, left by a life of it that ended in order, so that
 * later ones start sooner (dynamic class data sharing, JEP 350). The JVM itself refuses one of
 * other classes or of another JVM, and goes on without.
 *
 * @param file where it is, or will be
 */
public record ClassArchive(Path file) {
  private static final String SUFFIX = ".jsa";

  /** Not that some classes are too old to be shared, nor that an archive does not fit. */
  private static final List<String> QUIET = List.of("-Xlog:cds*=off", "-Xlog:class+path=off");

  /**
   * The archive of a program with a class path.
   *
   * @param directory of all archives
   * @param program its name
   * @param classPath as the JVM has it; other files under the same names make another archive
   */
  static ClassArchive in(Path directory, String program, String classPath) {
    CRC32C key = new CRC32C();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      key.update((entry + stamp(Path.of(entry))).getBytes(StandardCharsets.UTF_8));
    }
    return new ClassArchive(
        directory.resolve(program + "-" + Long.toHexString(key.getValue()) + SUFFIX));
  }

  private static String stamp(Path entry) {
    try {
      BasicFileAttributes found = Files.readAttributes(entry, BasicFileAttributes.class);
      return " " + found.size() + " " + found.lastModifiedTime().toMillis() + "\n";
    } catch (IOException e) {
      return "\n";
    }
  }

  /**
   * Whether a JVM has an archive of its own classes, on which every other builds. One that {@code
   * jlink} made has none, and does not start if it is asked to leave another.
   */
  private static boolean hasBase(Path home) {
    try (Stream<Path> files = Files.list(home.resolve("lib/server"))) {
      return files.anyMatch(file -> file.toString().endsWith(SUFFIX));
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether it is there to start with. */
  boolean isThere() {
    return Files.exists(file);
  }

  /**
   * Options of this JVM with which a program uses it, or leaves it when it ends; none where it can
   * do neither.
   */
  List<String> options() {
    return options(Path.of(System.getProperty("java.home")));
  }

  List<String> options(Path home) {
    if (!hasBase(home)) {
      return List.of();
    }
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
    } catch (IOException e) {
      return List.of();
    }
    String use = isThere() ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=";
    return Stream.concat(Stream.of("-Xshare:auto", use + file), QUIET.stream()).toList();
  }
}
