package io.sluice.jobs.mix.reweight;

import io.sluice.control.controller.TestingLog;
import io.sluice.control.controller.TestingRuns;
import io.sluice.jobs.mix.reweight.MixEvent.Kind;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a rank's report costs the Reweighter, on RocksDB, while a round of many ranks is open. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
public class ReportsBenchmark {
  private static final int RANKS = 256;

  /**
   * Reports of the step from which the policy starts and of its first round's, but for the last.
   */
  private static final int REPORTS = 2 * RANKS - 1;

  @Param({"64", "4096"})
  private int domains;

  private final List<MixEvent> reports = new ArrayList<>();
  private List<String> names = List.of();
  private @Nullable TestingReweighter reweighter;

  /** The reports of every rank. */
  @Setup
  public void prepare() {
    names = IntStream.range(0, domains).mapToObj(i -> "domain-" + i).toList();
    for (int i = 0; i < REPORTS; i++) {
      TrainerFeedback report = report(i / RANKS * 10L, i % RANKS);
      byte[] bytes = WireCodec.encode(report);
      reports.add(
          MixEvent.of(
              Kind.FEEDBACK, TestingRuns.RUN, TestingReweighter.record("feedback", i, bytes)));
    }
  }

  private TrainerFeedback report(long step, int rank) {
    TrainerFeedback report = TestingRuns.feedback("s" + step, step, RANKS, rank, 0, 0);
    report.setEntries(
        names.stream().map(name -> new DomainMeasure(name, 2.5 * rank, 100L)).toList());
    return report;
  }

  /** A run that has granted all that it can before the first round. */
  @Setup(Level.Invocation)
  public void start() throws Exception {
    TestingReweighter fresh = new TestingReweighter(new TestingLog(), "w");
    reweighter = fresh;
    for (String name : names) {
      fresh.supply(TestingRuns.supply(name, 1_000, false));
    }
    RunSpec spec =
        TestingRuns.spec()
            .setDomains(names)
            .setInitialWeights(Collections.nCopies(domains, Weights.UNIT / domains))
            .setEpochs(Collections.nCopies(domains, 1))
            .build();
    fresh.event(Kind.COMMAND, TestingRuns.RUN, TestingRuns.apply(spec));
    fresh.settle();
  }

  /** One report, on the average of all. */
  @Benchmark
  @OperationsPerInvocation(REPORTS)
  public void hear() throws Exception {
    TestingReweighter hears = Objects.requireNonNull(reweighter);
    for (MixEvent report : reports) {
      hears.event(report);
    }
  }

  /** Drops the state. */
  @TearDown(Level.Invocation)
  public void close() throws Exception {
    Objects.requireNonNull(reweighter).close();
  }
}
