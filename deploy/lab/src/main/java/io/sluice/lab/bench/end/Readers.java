package io.sluice.lab.bench.end;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.lab.bench.measure.ReaderProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** The readers of a turn, which share its rows. */
final class Readers implements AutoCloseable {
  private final List<ReaderProcess> processes = new ArrayList<>();

  /**
   * Starts them.
   *
   * @param program of each, by its rank
   */
  Readers(int count, IntFunction<ProcessBuilder> program) {
    try {
      for (int rank = 0; rank < count; rank++) {
        processes.add(ReaderProcess.start(program.apply(rank)));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * What they have read together.
   *
   * @param tokens labels of all batches
   * @param perSecond of them, from each reader's first batch to its last
   */
  record Read(long tokens, double perSecond) {}

  List<ProcessHandle> handles() {
    return processes.stream().map(ReaderProcess::handle).toList();
  }

  /** What a reader says first of itself, if it says anything. */
  JsonNode greeting() {
    return processes.get(0).answer();
  }

  /**
   * Lets all of them read what the line says, and waits until they have.
   *
   * @param expected labels of all that there is to read
   * @throws IllegalStateException if they have not read it all
   */
  Read read(String what, long expected) {
    processes.forEach(reader -> reader.ask(what));
    long tokens = 0;
    double perSecond = 0;
    for (ReaderProcess reader : processes) {
      JsonNode answer = reader.answer();
      tokens += answer.get("tokens").asLong();
      perSecond += answer.get("perSecond").asDouble();
    }
    if (tokens != expected) {
      throw new IllegalStateException("read " + tokens + " tokens of " + expected + " of " + what);
    }
    return new Read(tokens, perSecond);
  }

  @Override
  public void close() {
    processes.forEach(ReaderProcess::close);
  }
}
