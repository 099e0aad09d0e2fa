package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.Patience;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A person in a folder with the launcher, who types lines of the README into a shell. The launcher
 * is the project's own and takes what it would build from this test's class path.
 */
final class Newcomer implements AutoCloseable {
  private static final Duration IDLE = Duration.ofMinutes(6);
  private static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();

  private final Path folder;
  private final List<Process> started = new ArrayList<>();

  Newcomer(Path folder) throws IOException {
    this.folder = folder;
    Path build = Files.createDirectories(folder.resolve(".sluice/build"));
    Files.copy(PROJECT.resolve("sluice"), folder.resolve("sluice"));
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            // Of jars alone the launcher makes its archive of classes, as it does after a build.
            .filter(entry -> !entry.endsWith("test-classes"))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    Files.writeString(build.resolve("classpath"), classPath);
    Files.writeString(build.resolve("stamp"), "");
  }

  /** A file of the project. */
  static Path project(String name) {
    return PROJECT.resolve(name);
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  /** A line of the shell; gives what it printed, and fails unless it ends well. */
  String types(String line) throws IOException {
    Path out = folder.resolve("line.out");
    Process process = start(line, out);
    int code = ended(process);
    assertThat(code).as("%s%n%s", line, Files.readString(out)).isZero();
    started.remove(process);
    return Files.readString(out);
  }

  /** A line that goes on beside the next ones; what it prints is in a file. */
  Process start(String line, Path out) throws IOException {
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-c", "exec " + line)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    shell.environment().put("HOME", folder.toString());
    shell.environment().put("SLUICE_HOME", folder.resolve("home").toString());
    shell.environment().put("JAVA_HOME", System.getProperty("java.home"));
    shell.environment().remove("JDK_JAVA_OPTIONS");
    Process process = shell.start();
    started.add(process);
    return process;
  }

  /** The exit code of a process, for which it may take long. */
  static int ended(Process process) {
    Patience.await(IDLE, () -> !process.isAlive());
    return process.exitValue();
  }

  /** Waits until a process that goes on has printed something. */
  static void awaitOutput(Process process, Path out, Predicate<String> wanted) {
    Patience.await(
        IDLE, () -> read(out), text -> wanted.test(text) || failed(process, text, wanted));
  }

  private static boolean failed(Process process, String text, Predicate<String> wanted) {
    assertThat(process.isAlive() || wanted.test(text)).as(text).isTrue();
    return false;
  }

  static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().onExit().join();
    }
  }
}
