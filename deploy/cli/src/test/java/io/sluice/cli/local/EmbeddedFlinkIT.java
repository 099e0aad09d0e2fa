package io.sluice.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedFlinkIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String JOB = "count to 10^9";

  @TempDir Path directory;

  @Test
  void aJobGoesOnFromTheLatestRetainedCheckpoint() throws Exception {
    Path starts = directory.resolve("starts");
    FlinkSettings settings =
        FlinkSettings.in(directory.resolve("state")).withCheckpointInterval(Duration.ofMillis(50));
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings)) {
      JobHandle job = flink.submit(JOB, counting(starts));
      job.checkpoint();
      job.cancel();
      assertThat(job.status()).isEqualTo(JobStatus.CANCELED);
    }
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings)) {
      Optional<Path> checkpoint = flink.latestCheckpoint(JOB);
      assertThat(checkpoint).isPresent();
      JobHandle job = flink.submit(JOB, counting(starts), checkpoint);
      awaitLines(starts, 2);
      Path savepoint = job.stopWithSavepoint(directory.resolve("savepoints"));
      assertThat(savepoint.resolve("_metadata")).exists();
      assertThat(job.status()).isEqualTo(JobStatus.FINISHED);
    }
    assertThat(Files.readAllLines(starts).get(0)).isEqualTo("0");
    assertThat(Long.parseLong(Files.readAllLines(starts).get(1))).isPositive();
  }

  @Test
  void aJobSurvivesTheLossOfItsTaskManager() throws Exception {
    Path starts = directory.resolve("starts");
    FlinkSettings settings = FlinkSettings.in(directory.resolve("state")).withTaskManagers(1, 2);
    try (EmbeddedFlink flink = EmbeddedFlink.start(settings)) {
      JobHandle job = flink.submit(JOB, counting(starts));
      awaitLines(starts, 1);
      job.checkpoint();
      flink.terminateTaskManager(0);
      assertThat(flink.startTaskManager()).isEqualTo(1);
      awaitLines(starts, 2);
      job.awaitRunning(PATIENCE);
      assertThat(job.failure()).isPresent();
      job.cancel();
    }
    assertThat(Long.parseLong(Files.readAllLines(starts).get(1))).isPositive();
  }

  /** Counts records in keyed state; each start appends the count that it found to the file. */
  private static Consumer<StreamExecutionEnvironment> counting(Path starts) {
    return environment ->
        environment
            .fromSource(
                new DataGeneratorSource<>(
                    index -> index, 1_000_000_000L, RateLimiterStrategy.perSecond(500), Types.LONG),
                WatermarkStrategy.noWatermarks(),
                "numbers")
            .uid("numbers")
            .keyBy(number -> 0, Types.INT)
            .map(new Counter(starts.toString()))
            .uid("counter")
            .sinkTo(new DiscardingSink<>())
            .uid("sink");
  }

  private static void awaitLines(Path file, int count) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (lines(file).size() < count && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(lines(file)).hasSizeGreaterThanOrEqualTo(count);
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static final class Counter extends RichMapFunction<Long, Long> {
    private static final long serialVersionUID = 1L;

    private final String starts;
    private transient boolean started;
    private transient ValueState<Long> count;

    Counter(String starts) {
      this.starts = starts;
    }

    @Override
    public void open(OpenContext context) {
      count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
    }

    @Override
    public Long map(Long number) throws IOException {
      Long stored = count.value();
      long before = stored == null ? 0 : stored;
      if (!started) {
        Files.writeString(
            Path.of(starts), before + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        started = true;
      }
      count.update(before + 1);
      return before;
    }
  }
}
