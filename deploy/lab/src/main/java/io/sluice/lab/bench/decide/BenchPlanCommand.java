package io.sluice.lab.bench.decide;

import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.Stopwatch;
import io.sluice.lab.bench.measure.Stopwatch.Times;
import io.sluice.mixture.plan.BatchOrder;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench plan}. */
@Command(
    name = "plan",
    description = {
      "What it costs to plan a batch, that is to turn weights into whole sequences, and to put them"
          + " in order.",
      ""
    })
public final class BenchPlanCommand extends Benchmark {
  private static final int BEFORE = 100;

  @Option(
      names = "--domains",
      split = ",",
      paramLabel = "K",
      description = "Numbers of domains. Default: 8,64,512,4096,262144; without the last: --quick.")
  private @Nullable List<Integer> domains;

  @Option(
      names = "--batch",
      split = ",",
      paramLabel = "N",
      defaultValue = "512,4096",
      description = "Sequences in a batch. Default: ${DEFAULT-VALUE}.")
  private List<Integer> batchSizes = List.of();

  @Override
  public void run() {
    Machine machine = Machine.here();
    BenchLog log = log();
    Stopwatch stopwatch = stopwatch();
    List<Integer> numbers =
        or(domains, List.of(8, 64, 512, 4096), List.of(8, 64, 512, 4096, 262_144));
    List<PlanResult> results = new ArrayList<>();
    for (int k : numbers) {
      for (int batchSize : batchSizes) {
        log.say("%d domains, %d sequences", k, batchSize);
        results.add(measure(stopwatch, k, batchSize));
      }
    }
    report(machine, PlanResult.HEAD, results.stream().map(PlanResult::row).toList(), results);
  }

  private static PlanResult measure(Stopwatch stopwatch, int k, int batchSize) {
    Weights weights = Weights.ofShares(new Random(7).doubles(k, 0.01, 1).toArray());
    MixturePlan plan = MixturePlan.start(k);
    int[] counts = plan.next(weights, batchSize);
    for (int n = 1; n < BEFORE; n++) {
      counts = plan.next(weights, batchSize);
    }
    int[] last = counts;
    Times planned = stopwatch.measure(() -> plan.next(weights, batchSize));
    long[] batch = {0};
    Times ordered = stopwatch.measure(() -> BatchOrder.order(7, 0, ++batch[0], last));
    return PlanResult.of(k, batchSize, planned, ordered);
  }
}
