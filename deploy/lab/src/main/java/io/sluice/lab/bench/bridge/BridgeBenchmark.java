package io.sluice.lab.bench.bridge;

import io.sluice.client.block.Sequence;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.error.UnreachableException;
import io.sluice.jobs.mix.MixJob;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.lab.bench.measure.MixPoint;
import io.sluice.lab.bench.measure.MixedRun;
import io.sluice.lab.bench.measure.Spread;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.bench.measure.TopicMeter;
import io.sluice.lab.bench.measure.Usage;
import io.sluice.schema.TopicReader;
import io.sluice.service.flink.JobHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Reads a finished stream, by turns as a trainer does and with a consumer alone. */
record BridgeBenchmark(Path directory, int repeats, BenchLog log) {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final String RUN = "bridge";

  /** One reading: tokens per second and bytes of objects for each sequence. */
  private record Reading(double tokensPerSecond, double bytesPerSequence) {}

  BridgeResult measure(MixPoint point) {
    try (Stage stage = Stage.open(directory, point.compression())) {
      RunInfo run = stream(stage, point);
      long sequences = point.sequences();
      List<Reading> batches = new ArrayList<>();
      List<Reading> bare = new ArrayList<>();
      for (int turn = 0; turn <= repeats; turn++) {
        Reading ready = reading(run, sequences, () -> readBatches(stage, run, point.batches()));
        Reading plain = reading(run, sequences, () -> readBare(stage, sequences));
        log.say(
            "%s: batches %.1f M tokens/s, bare consumer %.1f M tokens/s",
            BenchLog.turn(turn, repeats),
            ready.tokensPerSecond() / 1e6,
            plain.tokensPerSecond() / 1e6);
        if (turn > 0) {
          batches.add(ready);
          bare.add(plain);
        }
      }
      return result(batches, bare);
    }
  }

  private RunInfo stream(Stage stage, MixPoint point) {
    BlockTopics blocks = BlockTopics.of(stage.kafka(), point);
    long sequences = point.sequences();
    log.say("mixing a stream of %d MB", sequences * blocks.blockBytes() / 1_000_000);
    blocks.fill();
    JobHandle job = stage.flink().submit("mix", env -> MixJob.build(env, stage.kafka()));
    MixedRun.fixed(blocks.spec(), point).request(stage.kafka(), RUN);
    RunInfo run = RunDirectory.find(stage.kafka(), RUN, PATIENCE);
    try (TopicMeter meter = new TopicMeter(stage)) {
      meter.awaitRecords(partitions(stage), sequences);
    }
    job.cancel();
    return run;
  }

  private static List<TopicPartition> partitions(Stage stage) {
    return BenchTopics.partitions(stage.kafka().topics().stream(RUN), MixPoint.PARTITIONS);
  }

  private static Reading reading(RunInfo run, long sequences, LongSupplier reader) {
    Usage before = Usage.now();
    long start = System.nanoTime();
    long read = reader.getAsLong();
    double seconds = (System.nanoTime() - start) / 1e9;
    if (read != sequences) {
      throw new IllegalStateException("read " + read + " whole sequences of " + sequences);
    }
    return new Reading(
        sequences * (run.spec().getSequenceLength() + 1.0) / seconds,
        (double) Usage.now().bytesSince(before) / sequences);
  }

  private static long readBatches(Stage stage, RunInfo run, long batches) {
    long read = 0;
    try (Loader stream = Loader.open(stage.kafka(), run, StreamOptions.defaults())) {
      for (long n = 0; n < batches; n++) {
        GlobalBatch batch = stream.next(PATIENCE);
        for (Sequence sequence : batch.sequences()) {
          int tokens = sequence.packedTokens().remaining() / sequence.tokenWidth();
          read += tokens == run.spec().getSequenceLength() + 1 ? 1 : 0;
        }
      }
    }
    return read;
  }

  private static long readBare(Stage stage, long sequences) {
    try (Consumer<byte[], byte[]> consumer = TopicReader.consumer(stage.kafka(), Map.of())) {
      consumer.assign(partitions(stage));
      consumer.seekToBeginning(partitions(stage));
      long read = 0;
      long start = System.nanoTime();
      while (read < sequences) {
        read += consumer.poll(POLL).count();
        if (System.nanoTime() - start > 10 * PATIENCE.toNanos()) {
          throw new UnreachableException("the stream has " + read + " of " + sequences);
        }
      }
      return read;
    }
  }

  private static BridgeResult result(List<Reading> batches, List<Reading> bare) {
    Spread ready = Spread.of(batches.stream().map(r -> r.tokensPerSecond() / 1e6).toList());
    Spread plain = Spread.of(bare.stream().map(r -> r.tokensPerSecond() / 1e6).toList());
    return new BridgeResult(
        ready.median() * 1e6,
        plain.median() * 1e6,
        ready.median() / plain.median(),
        Spread.of(batches.stream().map(Reading::bytesPerSequence).toList()).median(),
        Spread.of(bare.stream().map(Reading::bytesPerSequence).toList()).median(),
        List.of(ready, plain));
  }
}
