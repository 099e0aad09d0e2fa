package io.sluice.jobs.prepare.read;

import io.sluice.control.work.OrderedWork;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** How long a checkpoint's barrier waits behind a document of 60 MiB that has just come. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
public class LongTextBenchmark {
  private static final String SENTENCE =
      "It was in 1846 that the naturalist re-examined 27 of the specimens; none were alike.\n";

  /** A name, or {@code file:} and the path of a {@code tokenizer.json}. */
  @Param("cl100k_base")
  private String tokenizer;

  @Param({"1", "2"})
  private int threads;

  private final AtomicLong tokens = new AtomicLong();
  private Tokenizer made;
  private OrderedWork<byte[]> work;
  private String text;

  @Setup
  public void make() {
    made = Tokenizers.forName(tokenizer);
    text = SENTENCE.repeat((60 << 20) / SENTENCE.length());
    work =
        new OrderedWork<>(
            "long-text",
            threads,
            1 << 16,
            16 << 20,
            bytes -> tokens.addAndGet(bytes.length),
            () -> {});
  }

  @TearDown
  public void close() {
    work.close();
    made.close();
  }

  @Benchmark
  public long barrierBehindALongText() throws InterruptedException {
    work.add(() -> made.encode(text), text.length());
    work.drain();
    return tokens.get();
  }
}
