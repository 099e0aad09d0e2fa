package io.sluice.lab.bench.end;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.WarmUps;
import io.sluice.lab.python.PythonClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice bench end-to-end}. */
@Command(
    name = "end-to-end",
    description = {
      "What a token costs from its block to the training loop: processor time of broker, job and"
          + " readers, all their processes whole, while the rows are mixed and when a finished"
          + " stream is read again.",
      ""
    })
public final class BenchEndToEndCommand extends Benchmark {
  @Mixin private WarmUps warmUps = new WarmUps();

  @Option(
      names = "--clients",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "java,python",
      description = "That read, java, python or both. Default: ${DEFAULT-VALUE}.")
  private List<Client> clients = List.of();

  @Option(
      names = "--deliveries",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "tokens,derived",
      description =
          "How they get tokens: out of a stream (tokens), or out of files that the dataset's blocks"
              + " are put into before (derived). Default: ${DEFAULT-VALUE}.")
  private List<Delivery> deliveries = List.of();

  @Option(
      names = "--domains",
      split = ",",
      paramLabel = "K",
      description = "Numbers of domains. Default: 64; 8 with --quick.")
  private @Nullable List<Integer> domains;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Sequences that a turn delivers. Default: 65536; 256 with --quick.")
  private @Nullable Long rows;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Sequences in a batch. Default: 512; 32 with --quick.")
  private @Nullable Integer batch;

  @Option(
      names = "--length",
      paramLabel = "N",
      description = "Tokens of a sequence. Default: ${DEFAULT-VALUE}.")
  private int length = 4096;

  @Option(
      names = "--readers",
      paramLabel = "N",
      description = "Ranks that share each batch, a process each. Default: ${DEFAULT-VALUE}.")
  private int readers = 1;

  @Option(
      names = "--peers",
      description = {
        "Also what a memory map takes, and torchdata.nodes, datasets, grain, megatron-core, litdata"
            + " and mosaicml-streaming, on the same rows in files: those of them that the"
            + " interpreter has."
      })
  private boolean peers;

  @Override
  public void run() {
    List<EndShape> shapes =
        or(domains, List.of(8), List.of(64)).stream()
            .map(
                count ->
                    new EndShape(
                        count,
                        rows == null ? (quick() ? 256 : 65_536) : rows,
                        batch == null ? (quick() ? 32 : 512) : batch,
                        length,
                        readers))
            .toList();
    if (deliveries.contains(Delivery.MEMORY_MAP)) {
      throw new BadInputException(
          "--deliveries must be tokens, derived or both: memory-map is what --peers adds");
    }
    Machine machine = Machine.here();
    BenchLog log = log();
    Optional<PythonClient> python = PythonClient.find();
    if (peers && python.isEmpty()) {
      throw new BadInputException("--peers must have Python: " + PythonClient.NEEDS);
    }
    EndBenchmark bench =
        new EndBenchmark(
            directory(),
            warmUps.turns(this),
            repeats(),
            clients(python, log),
            deliveries,
            peers,
            python,
            log);
    List<EndRow> results = new ArrayList<>();
    shapes.forEach(shape -> results.addAll(bench.measure(shape)));
    report(machine, EndRow.HEAD, results.stream().map(EndRow::cells).toList(), results);
  }

  private List<Client> clients(Optional<PythonClient> python, BenchLog log) {
    if (clients.contains(Client.PYTHON) && python.isEmpty()) {
      log.say("Python is left out: " + PythonClient.NEEDS);
      return clients.stream().filter(client -> client != Client.PYTHON).toList();
    }
    return clients;
  }
}
