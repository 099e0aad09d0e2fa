package io.sluice.lab.chaos.history;

import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The program of {@code deploy/checker}, which shares nothing with this one.
 *
 * @param python that has what it needs
 * @param folder where it is
 */
public record Checker(String python, Path folder) {
  /** What it needs, as it says itself. */
  public static final String NEEDS = "a Python with confluent-kafka and fastavro";

  private static final int BROKEN = 3;
  private static final Duration PROBE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  /**
   * What it is told to allow.
   *
   * @param flow within which a run must go on after a fault
   * @param clocks by which the clocks of two processes may differ
   */
  public record Bounds(Duration flow, Duration clocks) {}

  /**
   * What it printed.
   *
   * @param broken whether a rule was found broken
   */
  public record Result(List<String> lines, boolean broken) {
    public Result {
      lines = List.copyOf(lines);
    }
  }

  /**
   * The checker of a checkout of the project, if it is one, and if there is a Python for it.
   *
   * @param given the Python to try first; null: there is none
   */
  public static Optional<Checker> find(Path project, @Nullable String given) {
    Path folder = project.toAbsolutePath().normalize().resolve("deploy/checker");
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    Path own = project.resolve(".sluice/venv/bin/python").toAbsolutePath().normalize();
    return Stream.of(
            Optional.ofNullable(given), Optional.of(own.toString()), Optional.of("python3"))
        .flatMap(Optional::stream)
        .map(python -> new Checker(python, folder))
        .filter(Checker::starts)
        .findFirst();
  }

  private boolean starts() {
    try {
      return run(List.of("-c", "import confluent_kafka, fastavro"), PROBE).code() == 0;
    } catch (UncheckedIOException | UnreachableException noPython) {
      return false;
    }
  }

  /**
   * Holds what lies in the topics against histories.
   *
   * @param histories the directory of their files
   * @param run the id of the only one that is checked; null: all runs, and all documents
   * @throws UnreachableException if it does not come to an end
   */
  public Result check(KafkaAccess kafka, Path histories, @Nullable String run, Bounds bounds) {
    List<String> arguments =
        new ArrayList<>(List.of("-m", "checker", "--kafka", kafka.bootstrapServers()));
    arguments.addAll(List.of("--prefix", kafka.topics().prefix()));
    arguments.addAll(List.of("--flow-within", Long.toString(bounds.flow().toSeconds())));
    arguments.addAll(List.of("--clocks-differ", Long.toString(bounds.clocks().toSeconds())));
    if (run != null) {
      arguments.addAll(List.of("--run", run));
    }
    arguments.add("--history");
    arguments.addAll(files(histories));
    Ended ended = run(arguments, PATIENCE);
    if (ended.code() != 0 && ended.code() != BROKEN) {
      throw new UnreachableException("the checker failed: " + String.join("\n", ended.lines()));
    }
    return new Result(ended.lines(), ended.code() == BROKEN);
  }

  private static List<String> files(Path histories) {
    try (Stream<Path> files = Files.list(histories)) {
      return files
          .map(Path::toString)
          .filter(name -> name.endsWith(History.SUFFIX))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + histories, e);
    }
  }

  private record Ended(int code, List<String> lines) {}

  private Ended run(List<String> arguments, Duration patience) {
    List<String> command = new ArrayList<>(List.of(python));
    command.addAll(arguments);
    try {
      Path output = Files.createTempFile("sluice-checker", ".txt");
      try {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        int code = await(builder.start(), patience);
        return new Ended(code, Files.readAllLines(output, StandardCharsets.UTF_8));
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + python, e);
    }
  }

  private static int await(Process process, Duration patience) {
    try {
      if (process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      throw new UnreachableException(
          "the checker has not ended within " + patience.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
