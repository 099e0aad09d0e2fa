package io.sluice.lab.bench.start;

import io.sluice.jobs.mix.MixJob;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.lab.bench.measure.Compression;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.MixPoint;
import io.sluice.lab.bench.measure.MixedRun;
import io.sluice.lab.bench.measure.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench start}. */
@Command(
    name = "start",
    description = {
      "How long it takes from applying a run on prepared data until a trainer has its first batch,"
          + " and where that goes.",
      ""
    })
public final class BenchStartCommand extends Benchmark {
  private static final Duration JOB_START = Duration.ofMinutes(5);
  private static final int BLOCK_BYTES = 1024;
  private static final long BATCHES = 2;

  @Option(
      names = "--domains",
      split = ",",
      paramLabel = "K",
      description = "Numbers of domains. Default: 8,4096; 8 with --quick.")
  private @Nullable List<Integer> domains;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "Ranks of the training, of which the first reads. Default: ${DEFAULT-VALUE}.")
  private int ranks = 1;

  @Override
  public void run() {
    Machine machine = Machine.here();
    BenchLog log = log();
    Map<Integer, List<StartedRun>> started = new LinkedHashMap<>();
    for (int count : or(domains, List.of(8), List.of(8, 4096))) {
      started.put(count, measure(count, log));
    }
    StartResult result = StartResult.of(started);
    report(machine, StartResult.HEAD, result.rows(), result);
  }

  /** One run after the other, the first of which warms up. */
  private List<StartedRun> measure(int count, BenchLog log) {
    int batch = Math.max(64, ranks);
    MixPoint point = MixPoint.single(count, BLOCK_BYTES, batch, Compression.NONE, BATCHES * batch);
    try (Stage stage = Stage.open(directory(), Compression.NONE)) {
      log.say("filling %d domains", count);
      BlockTopics topics = BlockTopics.of(stage.kafka(), point);
      topics.fill();
      stage.flink().submit("mix", env -> MixJob.build(env, stage.kafka())).awaitRunning(JOB_START);
      MixedRun run = MixedRun.fixed(topics.spec(), point);
      List<StartedRun> measured = new ArrayList<>();
      for (int turn = 0; turn <= repeats(); turn++) {
        log.say("starting a run, %s", BenchLog.turn(turn, repeats()));
        StartedRun started = StartedRun.of(stage.kafka(), run, "start-" + turn, ranks);
        if (turn > 0) {
          measured.add(started);
        }
      }
      return measured;
    }
  }
}
