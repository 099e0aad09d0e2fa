package io.sluice.service.supervise;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Java program that runs in a process of its own, with this process's class path.
 *
 * @param main its main class
 * @param options of the JVM
 * @param arguments of the main class
 */
public record JavaProcess(String main, List<String> options, List<String> arguments)
    implements Program {
  /** Copies the lists. */
  public JavaProcess {
    options = List.copyOf(options);
    arguments = List.copyOf(arguments);
  }

  /** Marks are options of the JVM, before the program's own. */
  @Override
  public ProcessBuilder builder(List<String> marks) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(marks);
    command.addAll(options);
    command.add(main);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Not an option: the command line stays short enough to be read, and to be read back.
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder;
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
