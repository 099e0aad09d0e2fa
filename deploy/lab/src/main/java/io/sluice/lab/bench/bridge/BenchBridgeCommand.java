package io.sluice.lab.bench.bridge;

import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Compression;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.MixPoint;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench bridge}. */
@Command(
    name = "bridge",
    description = {
      "How fast the Java client turns a stream into batches with decoded blocks, next to a bare"
          + " consumer of the same stream.",
      ""
    })
public final class BenchBridgeCommand extends Benchmark {
  @Option(
      names = "--block-bytes",
      paramLabel = "N",
      description = "Bytes of a block. Default: ${DEFAULT-VALUE}.")
  private int blockBytes = 8192;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Sequences in a batch. Default: ${DEFAULT-VALUE}.")
  private int batchSize = 512;

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      defaultValue = "none",
      description = "none or lz4. Default: ${DEFAULT-VALUE}.")
  private Compression compression = Compression.NONE;

  @Option(
      names = "--megabytes",
      paramLabel = "N",
      description = "Size of the stream. Default: 1024; 8 with --quick.")
  private @Nullable Integer megabytes;

  @Override
  public void run() {
    Machine machine = Machine.here();
    long bytes = 1_000_000L * (megabytes == null ? (quick() ? 8 : 1024) : megabytes);
    MixPoint point =
        MixPoint.single(8, blockBytes, batchSize, compression, bytes / Math.max(1, blockBytes));
    BenchLog log = log();
    BridgeResult result = new BridgeBenchmark(directory(), repeats(), log).measure(point);
    report(machine, BridgeResult.HEAD, result.rows(), result);
  }
}
