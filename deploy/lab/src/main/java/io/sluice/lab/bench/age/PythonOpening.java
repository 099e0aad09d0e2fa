package io.sluice.lab.bench.age;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.run.StreamState;
import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens trainers in Python.
 *
 * @param interpreter that has what the client needs
 * @param source of the client
 */
record PythonOpening(Path interpreter, Path source) {
  /**
   * The project's own Python.
   *
   * @param given the interpreter; null for the one that the launcher installs
   */
  static Optional<PythonOpening> find(Path project, @Nullable String given) {
    Path interpreter = given == null ? project.resolve(".sluice/venv/bin/python") : Path.of(given);
    Path source = project.resolve("trainer-bridge/python/src");
    return Files.isExecutable(interpreter) && Files.isDirectory(source)
        ? Optional.of(new PythonOpening(interpreter.toAbsolutePath(), source.toAbsolutePath()))
        : Optional.empty();
  }

  /** Opens a run again and again in one process, which takes the times. */
  Cost measure(KafkaAccess kafka, String run, StreamState state, int repeats) {
    ProcessBuilder python =
        new ProcessBuilder(
            interpreter.toString(),
            "-m",
            "sluice.bench.opening",
            "--bootstrap",
            kafka.bootstrapServers(),
            "--run",
            run,
            "--state",
            state.toJson(),
            "--repeats",
            Integer.toString(repeats));
    python.environment().put("PYTHONPATH", source.toString());
    python.redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      Process process = python.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new UnreachableException("Python did not open run " + run + ": " + said);
      }
      JsonNode taken = new ObjectMapper().readTree(said);
      return Cost.ofNanos(nanos(taken.get("wall")), nanos(taken.get("processor")));
    } catch (IOException e) {
      throw new UnreachableException("Python cannot be started: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while Python opened run " + run, e);
    }
  }

  private static List<Double> nanos(JsonNode seconds) {
    List<Double> nanos = new ArrayList<>();
    seconds.forEach(each -> nanos.add(each.asDouble() * 1e9));
    return nanos;
  }
}
