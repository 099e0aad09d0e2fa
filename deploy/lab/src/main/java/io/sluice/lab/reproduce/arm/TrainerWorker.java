package io.sluice.lab.reproduce.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.bench.measure.ReaderProcess;
import io.sluice.service.supervise.JavaProcess;
import java.io.BufferedReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process that runs {@code sluice trainer} again and again: PyTorch's gradients in DJL are one
 * training's at a time in a process, and starting PyTorch takes as long as a small training.
 */
final class TrainerWorker implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> OPTIONS =
      List.of(
          "-Xmx768m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED");
  private static final int LAST_LINES = 3;

  private final ReaderProcess process;

  private TrainerWorker(ReaderProcess process) {
    this.process = process;
  }

  /** Starts the process. */
  static TrainerWorker start() {
    return new TrainerWorker(
        ReaderProcess.start(
            new JavaProcess(TrainerWorker.class.getName(), OPTIONS, List.of()).builder(List.of())));
  }

  /**
   * Trains a run to its end.
   *
   * @param arguments of {@code sluice trainer}
   * @param log what it prints goes there
   * @throws CheckFailedException with its last words if it does not end well
   * @throws io.sluice.control.error.UnreachableException if the process ends
   */
  void train(List<String> arguments, Path log) {
    ObjectNode asked = JSON.createObjectNode().put("log", log.toString());
    arguments.forEach(asked.putArray("arguments")::add);
    process.ask(asked.toString());
    int exit = process.answer().path("exit").asInt();
    if (exit != 0) {
      throw new CheckFailedException("'sluice trainer' ended with " + exit + ": " + lastWords(log));
    }
  }

  private static String lastWords(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join(
          " / ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.close();
  }

  /** The process: a training for each line of its input, until that ends. */
  public static void main(String[] args) throws IOException {
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      JsonNode training = JSON.readTree(line);
      List<String> arguments = new ArrayList<>(List.of("trainer"));
      training.path("arguments").forEach(each -> arguments.add(each.asText()));
      int exit = run(arguments, Path.of(training.path("log").asText()));
      System.out.println(JSON.createObjectNode().put("exit", exit));
      System.out.flush();
    }
  }

  private static int run(List<String> arguments, Path log) throws IOException {
    try (PrintWriter out =
        new PrintWriter(new FileWriter(log.toFile(), StandardCharsets.UTF_8, true))) {
      Path home = Path.of(System.getProperty("sluice.home", ".sluice"));
      return Sluice.commandLine(new GlobalOptions(Map.of(), home), root -> {})
          .setOut(out)
          .setErr(out)
          .execute(arguments.toArray(String[]::new));
    }
  }
}
