package io.sluice.client;

import io.sluice.client.Measurement.Total;
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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a call of the reporter costs a training step. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@org.openjdk.jmh.annotations.Measurement(iterations = 5, time = 1)
@Fork(1)
public class FeedbackReporterBenchmark {
  private static final int CALLS = 500;

  @Param({"4", "64", "1024"})
  private int domains;

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

  private Measurement measurement = Measurement.evalLoss(0, 0, "n", Map.of());
  private FeedbackReporter reporter = reporter(new TestingStream(1, 4).run());

  /** A run of so many domains, and a measurement of each. */
  @Setup
  public void prepare() {
    List<String> names = new ArrayList<>();
    Map<String, Total> totals = new LinkedHashMap<>();
    for (int i = 0; i < domains; i++) {
      names.add("domain-" + i);
      totals.put("domain-" + i, new Total(1.5 * i, 100 + i));
    }
    RunSpec spec = RunSpec.newBuilder(new TestingStream(1, 4).run().spec()).build();
    spec.setDomains(names);
    reporter = reporter(new RunInfo("r-1", spec));
    measurement = Measurement.evalLoss(10, 10, "n", totals);
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

  /** One step's measurement and progress, while the thread that sends them is at work. */
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public void publish() {
    for (int i = 0; i < CALLS; i++) {
      reporter.publish(measurement);
      reporter.progress(10, 10, -1);
    }
  }

  /** Closes the reporter. */
  @TearDown
  public void close() {
    reporter.close();
  }
}
