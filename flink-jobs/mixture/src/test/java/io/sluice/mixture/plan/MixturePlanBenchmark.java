package io.sluice.mixture.plan;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a batch costs before any block is read: its counts, and its order. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MixturePlanBenchmark {
  private static final int TIMELINE = 0;

  @Param({"64", "4096", "262144"})
  private int domains;

  @Param({"512", "4096"})
  private int batchSize;

  private Weights weights = Weights.uniform(1);
  private MixturePlan plan = MixturePlan.start(1);
  private int[] counts = {};
  private long batch;

  /** Weights that no two domains share, and the counts of a batch under way. */
  @Setup
  public void prepare() {
    Random random = new Random(7);
    weights = Weights.ofShares(random.doubles(domains, 0.01, 1).toArray());
    plan = MixturePlan.start(domains);
    for (int n = 0; n < 100; n++) {
      counts = plan.next(weights, batchSize);
    }
  }

  /** One batch's counts. */
  @Benchmark
  public int[] plan() {
    return plan.next(weights, batchSize);
  }

  /** One batch's order. */
  @Benchmark
  public int[] order() {
    return BatchOrder.order(7, TIMELINE, ++batch, counts);
  }
}
