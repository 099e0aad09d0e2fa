package io.sluice.lab.bench.prepare;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.plot.TextTable;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BenchOptions;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.WarmUps;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice bench prepare}. */
@Command(
    name = "prepare",
    mixinStandardHelpOptions = true,
    description = {
      "How fast PrepareJob turns documents into blocks, next to the bare tokenizer in as many"
          + " threads.",
      ""
    })
public final class BenchPrepareCommand implements Runnable {
  private static final int DOMAINS = 8;

  private final GlobalOptions global;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private BenchOptions options = new BenchOptions();
  @Mixin private WarmUps warmUps = new WarmUps();

  @Option(
      names = "--tokenizer",
      paramLabel = "NAME",
      defaultValue = "cl100k_base",
      description = "A tokenizer that a dataset may name. Default: ${DEFAULT-VALUE}.")
  private String tokenizer = "cl100k_base";

  @Option(
      names = "--parallelism",
      split = ",",
      paramLabel = "N",
      description = "Of the job, 1 to 8. Default: 1 and the number of cores.")
  private @Nullable List<Integer> parallelism;

  @Option(
      names = "--duration",
      paramLabel = "SECONDS",
      description = "About how long each measurement takes. Default: 10; 0.5 with --quick.")
  private @Nullable Double seconds;

  public BenchPrepareCommand(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public void run() {
    Machine machine = Machine.here();
    BenchLog log = options.log(spec);
    PrepareResult result =
        new PrepareBenchmark(
                options.directory(global.home()), warmUps.turns(options), options.repeats(), log)
            .measure(tokenizer, parallelisms(), duration());
    TextTable table = new TextTable(PrepareResult.HEAD);
    result.rows().forEach(table::add);
    options.report(spec.commandLine().getOut(), machine, table, result);
  }

  private List<Integer> parallelisms() {
    int cores = Math.min(DOMAINS, Runtime.getRuntime().availableProcessors());
    List<Integer> asked =
        parallelism == null ? Stream.of(1, cores).distinct().toList() : parallelism;
    for (int p : asked) {
      if (p < 1 || p > DOMAINS) {
        throw new IllegalArgumentException("--parallelism must be in [1, 8]: " + p);
      }
    }
    return asked;
  }

  private double duration() {
    double length = seconds == null ? (options.quick() ? 0.5 : 10) : seconds;
    if (!(length > 0 && length <= 600)) {
      throw new IllegalArgumentException("--duration must be in (0, 600] seconds: " + length);
    }
    return length;
  }
}
