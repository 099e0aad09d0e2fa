package io.sluice.lab.bench.fan;

import io.sluice.cli.options.WritableFile;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench fan-out}. */
@Command(
    name = "fan-out",
    description = {
      "What a run's trainers ask of brokers and stores by the number of their GPUs, as a model of"
          + " the clients has it: bytes, connections and requests.",
      ""
    })
public final class BenchFanOutCommand extends Benchmark {
  @Option(
      names = "--gpus",
      split = ",",
      paramLabel = "W",
      description = "Numbers of GPUs. Default: 8,64,512,4096,16384; 8,64 with --quick.")
  private @Nullable List<Integer> gpus;

  @Option(
      names = "--gpus-per-node",
      paramLabel = "N",
      description = "That share a cache. Default: ${DEFAULT-VALUE}.")
  private int gpusPerNode = 8;

  @Option(
      names = "--tokens",
      paramLabel = "N",
      description = "That a GPU trains on in a second. Default: ${DEFAULT-VALUE}.")
  private int tokensPerSecond = 9_400;

  @Option(
      names = "--length",
      paramLabel = "N",
      description = "Tokens of a sequence. Default: ${DEFAULT-VALUE}.")
  private int length = 4096;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Sequences of a GPU in each batch. Default: ${DEFAULT-VALUE}.")
  private int rows = 4;

  @Option(
      names = "--domains",
      paramLabel = "K",
      description = "Domains, with equal weights. Default: ${DEFAULT-VALUE}.")
  private int domains = 64;

  @Option(
      names = "--brokers",
      paramLabel = "N",
      description = "Brokers that share the partitions. Default: ${DEFAULT-VALUE}.")
  private int brokers = 12;

  @Option(
      names = "--partitions",
      paramLabel = "S",
      description = "Partitions of the stream. Default: ${DEFAULT-VALUE}.")
  private int partitions = 256;

  @Option(
      names = "--copies",
      paramLabel = "N",
      description = "Copies that the brokers keep. Default: ${DEFAULT-VALUE}.")
  private int copies = 3;

  @Option(
      names = "--corpus",
      paramLabel = "N",
      description = "10^9 tokens of the whole dataset. Default: ${DEFAULT-VALUE}.")
  private int corpus = 1_000;

  @Option(
      names = "--measure",
      paramLabel = "W",
      description = {
        "Instead, let so many readers share a small run on this machine, and hold the model against"
            + " what the broker counts."
      })
  private @Nullable Integer measured;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Draw it over the GPUs.")
  private @Nullable Path svg;

  @Override
  public void run() {
    if (measured == null) {
      model();
    } else {
      Machine machine = Machine.here();
      List<FanCheck> checks = new FanMeasurement(directory(), log()).check(measured);
      report(machine, FanCheck.HEAD, checks.stream().map(FanCheck::row).toList(), checks);
    }
  }

  private void model() {
    List<FanModel> models =
        or(gpus, List.of(8, 64), List.of(8, 64, 512, 4096, 16_384)).stream()
            .map(this::shape)
            .map(FanModel::of)
            .toList();
    List<FanOut> tokens = models.stream().map(FanModel::tokens).toList();
    List<FanOut> derived = models.stream().map(FanModel::derived).toList();
    List<FanOut> all = new ArrayList<>();
    for (int i = 0; i < models.size(); i++) {
      all.addAll(List.of(tokens.get(i), derived.get(i)));
    }
    report(Machine.here(), FanRow.HEAD, all.stream().map(FanRow::of).toList(), all);
    if (svg != null) {
      FanFigure.of(tokens, derived).write(svg);
    }
  }

  private FanShape shape(int number) {
    return new FanShape(
        number,
        gpusPerNode,
        tokensPerSecond,
        length,
        rows,
        domains,
        brokers,
        partitions,
        copies,
        corpus * 1_000_000_000L);
  }
}
