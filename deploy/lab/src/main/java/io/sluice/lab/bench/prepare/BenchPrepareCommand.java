package io.sluice.lab.bench.prepare;

import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.Ranges;
import io.sluice.lab.bench.measure.WarmUps;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice bench prepare}. */
@Command(
    name = "prepare",
    description = {
      "How fast PrepareJob turns documents into blocks, next to the bare tokenizer in as many"
          + " threads.",
      ""
    })
public final class BenchPrepareCommand extends Benchmark {
  private static final int MOST_THREADS = 64;
  private static final int MOST_DOMAINS = 16_384;
  private static final List<Integer> USUAL_DOMAINS = List.of(8);

  @Mixin private WarmUps warmUps = new WarmUps();

  @Option(
      names = "--tokenizer",
      paramLabel = "NAME",
      description = "A tokenizer that a dataset may name. Default: ${DEFAULT-VALUE}.")
  private String tokenizer = "cl100k_base";

  @Option(
      names = "--pre-tokenized",
      description = "Documents come as ids of the tokenizer, not as text.")
  private boolean preTokenized;

  @Option(
      names = "--domains",
      split = ",",
      paramLabel = "K",
      description =
          "Numbers of domains that the same documents are dealt to, 1 to "
              + MOST_DOMAINS
              + ". Default: 8.")
  private @Nullable List<Integer> domains;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description =
          "That make tokens in the job, 1 to "
              + MOST_THREADS
              + ". Default: 1 and the number of cores.")
  private @Nullable List<Integer> threads;

  @Option(
      names = "--duration",
      paramLabel = "SECONDS",
      description = "About how long each measurement takes. Default: 10; 0.5 with --quick.")
  private @Nullable Double seconds;

  @Override
  public void run() {
    List<Integer> numbers = or(domains, USUAL_DOMAINS, USUAL_DOMAINS);
    numbers.forEach(count -> Ranges.require("--domains", count, 1, MOST_DOMAINS));
    Machine machine = Machine.here();
    BenchLog log = log();
    PrepareResult result =
        new PrepareBenchmark(directory(), warmUps.turns(this), repeats(), log)
            .measure(
                new PrepareBenchmark.Request(
                    tokenizer, preTokenized, numbers, threads(), duration()));
    report(machine, PrepareResult.HEAD, result.rows(), result);
  }

  private List<Integer> threads() {
    int cores = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    List<Integer> asked = threads == null ? Stream.of(1, cores).distinct().toList() : threads;
    asked.forEach(count -> Ranges.require("--threads", count, 1, MOST_THREADS));
    return asked;
  }

  private double duration() {
    double length = seconds == null ? (quick() ? 0.5 : 10) : seconds;
    if (!(length > 0 && length <= 600)) {
      throw new IllegalArgumentException("--duration must be in (0, 600] seconds: " + length);
    }
    return length;
  }
}
