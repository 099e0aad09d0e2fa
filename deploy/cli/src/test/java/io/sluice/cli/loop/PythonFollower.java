package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.KafkaAccess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** A Python trainer without a model that tells of each step, and of what came between. */
public final class PythonFollower implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private PythonFollower(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /**
   * Starts it.
   *
   * @param last batch that it trains on
   */
  public static PythonFollower start(KafkaAccess kafka, String run, long last, String... options)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--bootstrap", kafka.bootstrapServers(), "--run", run));
    arguments.addAll(List.of("--last", Long.toString(last)));
    arguments.addAll(List.of(options));
    return new PythonFollower(
        TestingPython.process(TestingPython.script("follower.py", arguments))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Waits for a line that starts so; fails once it has ended without it. */
  public String await(String start) throws IOException {
    List<String> before = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(start)) {
        return line;
      }
      before.add(line);
    }
    throw new AssertionError("no line '" + start + "' but " + before);
  }

  /** The next line. */
  public String next() throws IOException {
    String line = output.readLine();
    assertThat(line).as("the trainer has ended").isNotNull();
    return line;
  }

  /** Ends its rest. */
  public void goOn() throws IOException {
    try (Writer input = process.outputWriter()) {
      input.write('\n');
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    output.close();
  }
}
