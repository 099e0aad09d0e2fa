package io.sluice.service.supervise;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A Java program that runs in a process of its own, with this process's class path.
 *
 * @param main its main class
 * @param options of the JVM
 * @param arguments of the main class
 * @param classes what makes its next start faster; empty if nothing does
 */
public record JavaProcess(
    String main, List<String> options, List<String> arguments, Optional<ClassArchive> classes)
    implements Program {
  /** Time in which an archive of classes is written. */
  private static final Duration TO_ARCHIVE = Duration.ofSeconds(30);

  /** Copies the lists. */
  public JavaProcess {
    options = List.copyOf(options);
    arguments = List.copyOf(arguments);
  }

  /** A program that is not started often. */
  public JavaProcess(String main, List<String> options, List<String> arguments) {
    this(main, options, arguments, Optional.empty());
  }

  /**
   * The same, started faster once a life of it has ended in order, where the command has a home to
   * keep that in.
   *
   * @param program names it among all
   */
  public JavaProcess remembered(String program) {
    return new JavaProcess(
        main,
        options,
        arguments,
        Optional.ofNullable(System.getProperty("sluice.home"))
            .map(home -> ClassArchive.in(Path.of(home, "classes"), program, classPath())));
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** Marks are options of the JVM, before the program's own. */
  @Override
  public ProcessBuilder builder(List<String> marks) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(marks);
    classes.ifPresent(archive -> command.addAll(archive.options()));
    command.addAll(options);
    command.add(main);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Not an option: the command line stays short enough to be read, and to be read back.
    builder.environment().put("CLASSPATH", classPath());
    return builder;
  }

  @Override
  public Duration lastWords() {
    return classes.isEmpty() || classes.get().isThere() ? Duration.ZERO : TO_ARCHIVE;
  }

  /** Ends one: its standard input ends, and after the given time it is killed. */
  public static void end(Process process, Duration patience) {
    boolean interrupted = Thread.interrupted();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException gone) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      interrupted = true;
      process.destroyForcibly();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
