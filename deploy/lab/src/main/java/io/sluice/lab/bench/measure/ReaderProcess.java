package io.sluice.lab.bench.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.control.error.UnreachableException;
import io.sluice.service.supervise.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A reader in a process of its own. A line of its standard input asks for something, and a line of
 * JSON on its standard output answers; it ends when nobody can ask any more.
 */
public final class ReaderProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration END = Duration.ofSeconds(30);

  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;

  private ReaderProcess(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts it; what it says of itself goes where this process's errors go. */
  public static ReaderProcess start(ProcessBuilder builder) {
    builder.redirectErrorStream(false).redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      return new ReaderProcess(builder.start());
    } catch (IOException e) {
      throw new UnreachableException("a reader cannot be started: " + e, e);
    }
  }

  /** The process, for whoever looks at what it uses. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Asks, and goes on at once. */
  public void ask(String what) {
    try {
      questions.write(what + "\n");
      questions.flush();
    } catch (IOException e) {
      throw new UnreachableException("a reader has ended before it was asked for " + what, e);
    }
  }

  /**
   * Waits for the next answer.
   *
   * @throws UnreachableException if the process ends without one
   */
  public JsonNode answer() {
    try {
      String line = answers.readLine();
      if (line == null) {
        throw new UnreachableException("a reader ended without an answer; its errors are above");
      }
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UnreachableException("a reader's answer cannot be read: " + e, e);
    }
  }

  @Override
  public void close() {
    JavaProcess.end(process, END);
  }
}
