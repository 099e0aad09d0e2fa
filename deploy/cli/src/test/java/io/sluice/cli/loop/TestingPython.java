package io.sluice.cli.loop;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The Python client of this project, run by the machine's Python. */
public final class TestingPython {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(8));
  private static final Path PACKAGE =
      Path.of("").toAbsolutePath().resolve("../../trainer-bridge/python").normalize();

  private TestingPython() {}

  /** Skips the test unless Python can import these modules. */
  public static void require(String... modules) {
    String found = "no Python was found: " + interpreter();
    boolean usable = false;
    try {
      Result result =
          run(List.of("-c", "import " + String.join(", ", modules)), Duration.ofMinutes(1));
      usable = result.code() == 0;
      found = result.errors().strip();
    } catch (IOException e) {
      found = e.getMessage();
    }
    assumeTrue(
        usable,
        "needs Python with "
            + String.join(", ", modules)
            + ", which './sluice test --python' installs ("
            + found
            + ")");
  }

  /** Standard output of a script among the Python tests; fails unless it ends well. */
  static String live(String script, List<String> arguments) throws IOException {
    return succeed(script(script, arguments));
  }

  /** Standard output of an example; fails unless it ends well. */
  static String example(String script, List<String> arguments) throws IOException {
    return succeed(exampleScript(script, arguments));
  }

  /** What Python needs to run a script among the Python tests. */
  public static List<String> script(String script, List<String> arguments) {
    return in("tests/live", script, arguments);
  }

  /** What Python needs to run an example. */
  static List<String> exampleScript(String script, List<String> arguments) {
    return in("examples", script, arguments);
  }

  private static List<String> in(String folder, String script, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(PACKAGE.resolve(folder).resolve(script).toString());
    command.addAll(arguments);
    return command;
  }

  /** Standard output of Python with these arguments; fails unless it ends well. */
  static String succeed(List<String> arguments) throws IOException {
    Result result = run(arguments, PATIENCE);
    if (result.code() != 0) {
      throw new AssertionError(
          String.join(" ", arguments) + " ended with " + result.code() + ":\n" + result.errors());
    }
    return result.output();
  }

  /** An example as a line for the shell. */
  static String exampleLine(String script, List<String> arguments) {
    ProcessBuilder process = process(exampleScript(script, arguments));
    String path = process.environment().get("PYTHONPATH");
    return "PYTHONPATH='" + path + "' '" + String.join("' '", process.command()) + "'";
  }

  /** A process whose standard output and errors are files. */
  public static ProcessBuilder process(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(interpreter()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PYTHONPATH", PACKAGE.resolve("src").toString());
    builder.environment().put("PYTHONUNBUFFERED", "1");
    return builder;
  }

  private record Result(int code, String output, String errors) {}

  private static Result run(List<String> arguments, Duration patience) throws IOException {
    Path output = Files.createTempFile("python", ".out");
    Path errors = Files.createTempFile("python", ".err");
    try {
      Process process =
          process(arguments).redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
      int code = waitFor(process, patience);
      return new Result(code, read(output), read(errors));
    } finally {
      Files.delete(output);
      Files.delete(errors);
    }
  }

  private static int waitFor(Process process, Duration patience) {
    try {
      if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
      throw new AssertionError("Python did not end within " + patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  private static String interpreter() {
    String given = System.getProperty("sluice.python");
    if (given != null) {
      return given;
    }
    Path own = PACKAGE.resolve("../../.sluice/venv/bin/python").normalize();
    return Files.isExecutable(own) ? own.toString() : "python3";
  }
}
