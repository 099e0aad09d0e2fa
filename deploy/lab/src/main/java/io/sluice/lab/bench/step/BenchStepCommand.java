package io.sluice.lab.bench.step;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.plot.TextTable;
import io.sluice.control.error.BadInputException;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.Ranges;
import io.sluice.lab.bench.measure.ReaderProcess;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.python.PythonClient;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench step}. */
@Command(
    name = "step",
    description = {
      "What the loader adds to a training step: a GPT in PyTorch on this machine's GPU, next to the"
          + " same steps with their data in memory; out of a stream, and out of files. Without a GPU"
          + " a tiny model shows that it works.",
      ""
    })
public final class BenchStepCommand extends Benchmark {
  private static final List<String> HEAD =
      List.of("run", "step in memory, ms", "with the loader, ms", "ratio", "goal");

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Of each turn. Default: 20; 3 with --quick.")
  private @Nullable Integer steps;

  @Override
  public void run() {
    int each = steps == null ? (quick() ? 3 : 20) : steps;
    Ranges.require("--steps", each, 2, 10_000);
    PythonClient python =
        PythonClient.find()
            .orElseThrow(
                () -> new BadInputException("step must have Python: " + PythonClient.NEEDS));
    Machine machine = Machine.here();
    StepRuns runs = quick() ? new StepRuns(32, 4, each) : new StepRuns(2048, 32, each);
    try (Stage stage = Stage.asUp(directory())) {
      runs.start(stage, log());
      print(machine, measured(python, stage.kafka().bootstrapServers(), each));
    }
  }

  private JsonNode measured(PythonClient python, String bootstrap, int each) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--bootstrap",
                bootstrap,
                "--steps",
                Integer.toString(each),
                "--repeats",
                Integer.toString(repeats()),
                "--json",
                "-"));
    StepRuns.DELIVERIES.forEach(delivery -> arguments.addAll(List.of("--run", delivery)));
    log().say("training");
    try (ReaderProcess process =
        ReaderProcess.start(python.module("sluice.bench.step", arguments))) {
      return process.answer();
    }
  }

  private void print(Machine machine, JsonNode result) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode run : result.get("runs")) {
      rows.add(
          List.of(
              run.get("run").asText(),
              TextTable.fixed(2, run.get("memory").asDouble()),
              TextTable.fixed(2, run.get("loader").asDouble()),
              TextTable.fixed(4, run.get("ratio").asDouble()),
              TextTable.fixed(3, result.get("goal").asDouble())));
    }
    report(machine, HEAD, rows, result);
    out().println(result.get("note").asText());
  }
}
