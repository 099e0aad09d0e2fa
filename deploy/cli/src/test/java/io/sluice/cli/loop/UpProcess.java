package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code sluice up} in a process of its own, and the processes that it starts. */
final class UpProcess implements AutoCloseable {
  private static final Duration IDLE = Duration.ofMinutes(2);

  private final Path directory;
  private final Process process;

  /** Starts {@code sluice up --cluster} and waits until it is ready. */
  UpProcess(Path directory, String... options) throws IOException {
    this(
        directory,
        java(directory, System.getProperty("java.class.path"), List.of("up", "--cluster")),
        options);
  }

  private UpProcess(Path directory, List<String> up, String... options) throws IOException {
    this.directory = directory;
    Path out = directory.resolve("up.out");
    List<String> command =
        Stream.of(up, List.of("--state-dir", state().toString()), List.of(options))
            .flatMap(List::stream)
            .toList();
    Files.deleteIfExists(out);
    process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    await(() -> !process.isAlive() || read(out).contains("sluice: ready"));
    assertThat(process.isAlive()).as(read(out)).isTrue();
  }

  /**
   * Starts {@code sluice up}, whose broker and jobs are all in one process.
   *
   * @param plugins folder of jars on its class path
   */
  static UpProcess alone(Path directory, Path plugins, String... options) throws IOException {
    List<String> up = sluice(directory, plugins, List.of("up")).command();
    return new UpProcess(directory, up, options);
  }

  /** A command that finds the service of this directory, with jars as the launcher adds them. */
  static ProcessBuilder sluice(Path directory, Path plugins, List<String> arguments) {
    String classPath = System.getProperty("java.class.path") + ":" + plugins + "/*";
    List<String> all =
        Stream.of(List.of("--plugins", plugins.toString()), arguments)
            .flatMap(List::stream)
            .toList();
    return new ProcessBuilder(java(directory, classPath, all));
  }

  private static List<String> java(Path directory, String classPath, List<String> arguments) {
    return Stream.concat(
            Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dsluice.home=" + directory.resolve("home"),
                "-cp",
                classPath,
                "io.sluice.cli.Sluice"),
            arguments.stream())
        .toList();
  }

  /** Its state directory. */
  Path state() {
    return directory.resolve("state");
  }

  /** Where its Kafka is. */
  String bootstrapServers() {
    return read(directory.resolve("home/up/endpoint")).strip();
  }

  /** Names of the processes that it looks after. */
  Set<String> processes() throws IOException {
    try (Stream<Path> files = Files.list(state().resolve("pids"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".pid", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** The present life of one of its processes. */
  ProcessHandle process(String name) {
    return ProcessHandle.of(Long.parseLong(pid(name))).orElseThrow();
  }

  /** Kills one of its processes and waits for the next one. */
  void kill(String name) {
    String before = pid(name);
    process(name).destroyForcibly();
    await(() -> !pid(name).equals(before));
  }

  private String pid(String name) {
    return read(state().resolve("pids").resolve(name + ".pid")).strip();
  }

  /** What is in a file; '' when there is none. */
  static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** Waits until something holds. */
  static void await(BooleanSupplier condition) {
    Patience.await(IDLE, condition);
  }

  /** Ends it without a chance to stop anything, and waits until nothing of it is left. */
  @Override
  public void close() {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly().onExit().join();
    started.forEach(each -> await(() -> !each.isAlive()));
  }
}
