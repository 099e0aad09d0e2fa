package io.sluice.service.supervise;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A file that holds the number of a running process. The process carries the file's path among its
 * own arguments, so that a number that the system has given to another process since is not
 * mistaken for it.
 */
final class PidFile {
  private static final String MARK = "-Dsluice.pid-file=";

  private static final String SUFFIX = ".pid";

  private final Path path;

  private PidFile(Path path) {
    this.path = path.toAbsolutePath().normalize();
  }

  /** The file of a process of that name. */
  static PidFile of(Path directory, String name) {
    return new PidFile(directory.resolve(name + SUFFIX));
  }

  /** Every such file in the directory. */
  static List<PidFile> in(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).map(PidFile::new).toList();
    }
  }

  /** Name of the process. */
  String name() {
    String file = path.getFileName().toString();
    return file.substring(0, file.length() - SUFFIX.length());
  }

  /** The argument that marks the process as the one of this file. */
  String mark() {
    return MARK + path;
  }

  void write(long pid) {
    try {
      Files.createDirectories(path.getParent());
      Files.writeString(path, pid + "\n", StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + path, e);
    }
  }

  void remove() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + path, e);
    }
  }

  /** The process that an earlier service left behind under this file; empty if there is none. */
  Optional<ProcessHandle> orphan() {
    try {
      if (!Files.exists(path)) {
        return Optional.empty();
      }
      return ProcessHandle.of(Long.parseLong(Files.readString(path).strip())).filter(this::isOurs);
    } catch (IOException | NumberFormatException unreadable) {
      return Optional.empty();
    }
  }

  private boolean isOurs(ProcessHandle process) {
    return process.info().arguments().stream()
        .flatMap(Arrays::stream)
        .anyMatch(argument -> argument.equals(mark()));
  }
}
