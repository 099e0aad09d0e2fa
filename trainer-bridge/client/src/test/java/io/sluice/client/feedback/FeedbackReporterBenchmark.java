package io.sluice.client.feedback;

import io.sluice.client.feedback.Measurement.Total;
import io.sluice.client.run.FeedbackSource;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.RunSpec;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one step's report costs the step: a measurement and the progress, made and handed over while
 * the thread that sends them has nothing else to do.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@org.openjdk.jmh.annotations.Measurement(iterations = 5, time = 1)
@Fork(1)
public class FeedbackReporterBenchmark {
  @Param({"3", "64", "1024", "4096"})
  private int domains;

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

  private final Map<String, Total> totals = new LinkedHashMap<>();
  private RunInfo run = new TestingStream(1, 4).run();
  private FeedbackReporter reporter = reporter(run);
  private double[] sums = {};
  private long[] counts = {};

  /** A run of so many domains, and a measurement of each. */
  @Setup
  public void prepare() {
    List<String> names = new ArrayList<>();
    sums = new double[domains];
    counts = new long[domains];
    for (int i = 0; i < domains; i++) {
      names.add("domain-" + i);
      sums[i] = 1.5 * i;
      counts[i] = 100L + i;
      totals.put("domain-" + i, new Total(sums[i], counts[i]));
    }
    RunSpec spec = RunSpec.newBuilder(run.spec()).build();
    spec.setDomains(names);
    run = new RunInfo("r-1", spec);
    reporter = reporter(run);
  }

  private FeedbackReporter reporter(RunInfo run) {
    return new FeedbackReporter(
        FeedbackSource.fixed(run, Reporter.single()), "t", InstantSource.system(), producer);
  }

  /** What the calls before have sent is not theirs to pay for. */
  @Setup(Level.Invocation)
  public void drain() {
    reporter.flush();
    producer.clear();
  }

  /** As the evaluation of a model has them. */
  @Benchmark
  public void arrays() {
    reporter.publish(Measurement.ofAll(run, 10, "n", Measurement.EVAL_LOSS, sums, counts));
    reporter.progress(10, 10, -1);
  }

  /** By name. */
  @Benchmark
  public void map() {
    reporter.publish(Measurement.evalLoss(10, 10, "n", totals));
    reporter.progress(10, 10, -1);
  }

  /** Closes the reporter. */
  @TearDown
  public void close() {
    reporter.close();
  }
}
