package io.sluice.lab.bench.bridge;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.plot.TextTable;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BenchOptions;
import io.sluice.lab.bench.measure.Compression;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.MixPoint;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice bench bridge}. */
@Command(
    name = "bridge",
    mixinStandardHelpOptions = true,
    description = {
      "How fast the Java client turns a stream into batches with decoded blocks, next to a bare"
          + " consumer of the same stream.",
      ""
    })
public final class BenchBridgeCommand implements Runnable {
  private final GlobalOptions global;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BenchOptions options = new BenchOptions();

  @Option(
      names = "--block-bytes",
      paramLabel = "N",
      defaultValue = "8192",
      description = "Bytes of a block. Default: ${DEFAULT-VALUE}.")
  private int blockBytes;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "512",
      description = "Sequences in a batch. Default: ${DEFAULT-VALUE}.")
  private int batchSize;

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

  public BenchBridgeCommand(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public void run() {
    Machine machine = Machine.here();
    long bytes = 1_000_000L * (megabytes == null ? (options.quick() ? 8 : 1024) : megabytes);
    MixPoint point =
        MixPoint.single(8, blockBytes, batchSize, compression, bytes / Math.max(1, blockBytes));
    BenchLog log = options.log(spec);
    BridgeResult result =
        new BridgeBenchmark(options.directory(global.home()), options.repeats(), log)
            .measure(point);
    TextTable table = new TextTable(BridgeResult.HEAD);
    result.rows().forEach(table::add);
    options.report(spec.commandLine().getOut(), machine, table, result);
  }
}
