package io.sluice.lab.bench.mix;

import io.sluice.cli.options.WritableFile;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Compression;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.MixPoint;
import io.sluice.lab.bench.measure.WarmUps;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice bench mix}. */
@Command(
    name = "mix",
    description = {
      "How fast MixJob mixes, next to a plain copy and a Flink copy of the same topics.",
      ""
    })
public final class BenchMixCommand extends Benchmark {
  /** About what a machine of two cores reaches; only says how much is copied. */
  private static final long EXPECTED_BYTES_PER_SECOND = 300_000_000;

  private static final List<Integer> DOMAINS = List.of(8, 64, 512, 4096);

  @Mixin private WarmUps warmUps = new WarmUps();

  @Option(
      names = "--domains",
      split = ",",
      paramLabel = "K",
      description = "Numbers of domains. Default: 8,64,512,4096; 8 with --quick.")
  private @Nullable List<Integer> domains;

  @Option(
      names = "--block-bytes",
      split = ",",
      paramLabel = "N",
      defaultValue = "8192",
      description = "Bytes of a block. Default: ${DEFAULT-VALUE}.")
  private List<Integer> blockBytes = List.of();

  @Option(
      names = "--batch",
      split = ",",
      paramLabel = "N",
      defaultValue = "2048",
      description = "Sequences in a batch. Default: ${DEFAULT-VALUE}.")
  private List<Integer> batchSizes = List.of();

  @Option(
      names = "--lanes",
      split = ",",
      paramLabel = "L",
      defaultValue = "1",
      description = "Partitions of each block topic. Default: ${DEFAULT-VALUE}.")
  private List<Integer> lanes = List.of();

  @Option(
      names = "--runs",
      split = ",",
      paramLabel = "R",
      defaultValue = "1",
      description = "Runs that are mixed at a time. Default: ${DEFAULT-VALUE}.")
  private List<Integer> runs = List.of();

  @Option(
      names = "--partitions",
      split = ",",
      paramLabel = "S",
      defaultValue = "" + MixPoint.PARTITIONS,
      description = "Partitions of each stream. Default: ${DEFAULT-VALUE}.")
  private List<Integer> partitions = List.of();

  @Option(
      names = "--compression",
      split = ",",
      paramLabel = "NAME",
      description = "none, lz4 or both. Default: none,lz4; none with --quick.")
  private @Nullable List<Compression> compressions;

  @Option(
      names = "--duration",
      paramLabel = "SECONDS",
      description = "About how long each copy takes, at 300 MB/s. Default: 10; 0.2 with --quick.")
  private @Nullable Double seconds;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Draw rates and costs over the one setting that varies.")
  private @Nullable Path svg;

  @Override
  public void run() {
    Machine machine = Machine.here();
    List<MixPoint> points = points();
    if (svg != null) {
      requireOneAxis();
    }
    BenchLog log = log();
    MixBenchmark bench = new MixBenchmark(directory(), warmUps.turns(this), repeats(), log);
    List<MixResult> results = new ArrayList<>();
    for (MixPoint point : points) {
      results.add(bench.measure(point));
    }
    report(machine, MixResult.HEAD, results.stream().map(MixResult::row).toList(), results);
    out().println(MixResult.LEGEND);
    if (svg != null) {
      MixFigure.of(results).write(svg);
    }
  }

  /** Every combination of what was asked for. */
  private List<MixPoint> points() {
    List<MixPoint> points = new ArrayList<>();
    for (int bytes : blockBytes) {
      for (int k : or(domains, List.of(8), DOMAINS)) {
        for (Compression compression :
            or(compressions, List.of(Compression.NONE), List.of(Compression.values()))) {
          MixPoint.single(k, bytes, 1, compression, blocks(bytes))
              .vary(lanes, runs, partitions, batchSizes)
              .forEach(points::add);
        }
      }
    }
    return points;
  }

  private void requireOneAxis() {
    long varied =
        Stream.of(or(domains, List.of(8), DOMAINS), lanes, runs, partitions, batchSizes, blockBytes)
            .filter(values -> values.stream().distinct().count() > 1)
            .count();
    if (varied > 1) {
      throw new IllegalArgumentException(
          "--svg must be given with lists for at most one setting besides --compression: found "
              + varied);
    }
  }

  private long blocks(int bytes) {
    double length = seconds == null ? (quick() ? 0.2 : 10) : seconds;
    if (!(length > 0 && length <= 3600)) {
      throw new IllegalArgumentException("--duration must be in (0, 3600] seconds: " + length);
    }
    return (long) (length * EXPECTED_BYTES_PER_SECOND / Math.max(1, bytes));
  }
}
