package io.sluice.lab.python;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client in Python of a checkout of the project.
 *
 * @param interpreter that has what the client needs
 * @param source of the client
 */
public record PythonClient(Path interpreter, Path source) {
  /** What there is to do where {@link #find} finds none. */
  public static final String NEEDS = "'./sluice test --python' installs what it needs";

  /** That of the launcher's project, with the interpreter that it names, or has installed. */
  public static Optional<PythonClient> find() {
    return find(
        Path.of(System.getProperty("sluice.project", ".")), System.getProperty("sluice.python"));
  }

  /**
   * That of a project.
   *
   * @param given the interpreter; null for the one that the launcher installs
   */
  public static Optional<PythonClient> find(Path project, @Nullable String given) {
    Path interpreter = given == null ? project.resolve(".sluice/venv/bin/python") : Path.of(given);
    Path source = project.resolve("trainer-bridge/python/src");
    return Files.isExecutable(interpreter) && Files.isDirectory(source)
        ? Optional.of(new PythonClient(interpreter.toAbsolutePath(), source.toAbsolutePath()))
        : Optional.empty();
  }

  /** A module of the client as a program, ready to be started. */
  public ProcessBuilder module(String module, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(interpreter.toString(), "-m", module));
    command.addAll(arguments);
    ProcessBuilder python = new ProcessBuilder(command);
    python.environment().put("PYTHONPATH", source.toString());
    return python;
  }
}
