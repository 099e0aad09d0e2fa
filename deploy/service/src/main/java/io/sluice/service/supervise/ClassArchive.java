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

  /** Whether it is there to start with. */
  boolean isThere() {
    return Files.exists(file);
  }

  /** Options of the JVM with which a program uses it, or leaves it when it ends. */
  List<String> options() {
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
    } catch (IOException e) {
      return List.of();
    }
    String use = isThere() ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=";
    return Stream.concat(Stream.of("-Xshare:auto", use + file), QUIET.stream()).toList();
  }
}
