package io.sluice.lab.bench.loop;

import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.jobs.mix.MixJob;
import io.sluice.lab.bench.loop.LoopResult.Latency;
import io.sluice.lab.bench.loop.LoopTrainer.Round;
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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench loop}. */
@Command(
    name = "loop",
    description = {
      "How long it takes from sending a step's feedback until the weights that it moved are in the"
          + " log, and in the stream: a round at every step, lag 0.",
      ""
    })
public final class BenchLoopCommand extends Benchmark {
  private static final Duration START = Duration.ofMinutes(2);
  private static final String RUN = "loop";

  @Option(
      names = "--domains",
      split = ",",
      paramLabel = "K",
      defaultValue = "8",
      description = "Numbers of domains. Default: ${DEFAULT-VALUE}.")
  private List<Integer> domains = List.of();

  @Option(
      names = "--block-bytes",
      paramLabel = "N",
      description = "Bytes of a block. Default: ${DEFAULT-VALUE}.")
  private int blockBytes = 8192;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Sequences in a batch. Default: ${DEFAULT-VALUE}.")
  private int batchSize = 64;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of each repeat. Default: 300; 20 with --quick.")
  private @Nullable Integer rounds;

  @Override
  public void run() {
    Machine machine = Machine.here();
    BenchLog log = log();
    LoopResult result = new LoopResult(domains.stream().map(count -> measure(count, log)).toList());
    report(machine, LoopResult.HEAD, result.rows(), result);
  }

  /** All but the first repeat's worth of rounds, which warm up, is measured. */
  private LoopResult.Point measure(int count, BenchLog log) {
    int each = rounds == null ? (quick() ? 20 : 300) : rounds;
    long steps = (long) each * (repeats() + 1);
    MixPoint point =
        MixPoint.single(
            count, blockBytes, batchSize, Compression.NONE, (steps + 1) * (long) batchSize);
    try (Stage stage = Stage.open(directory(), Compression.NONE)) {
      log.say("a record through the log and back, %d times", each);
      List<Long> roundTrips = LogRoundTrip.measure(stage.kafka(), each, each);
      MixedRun run =
          new MixedRun(
              topics(stage, count, 1).spec(),
              MixPoint.PARTITIONS,
              batchSize,
              point.batches(),
              "velocitune",
              Map.of("target-fraction", "0.5"),
              1);
      log.say("%d rounds of the controller alone", steps);
      // The same reports decide the same, so no domain needs more blocks than it is granted here.
      ControllerRounds.Measured alone = ControllerRounds.measure(run.spec(RUN), each, steps);
      List<Round> measured =
          rounds(stage, topics(stage, count, alone.blocks()), run, each, steps, log);
      return new LoopResult.Point(
          count,
          Latency.ofNanos(measured.stream().map(Round::toGrantNanos).toList()),
          Latency.ofNanos(measured.stream().map(Round::toBlockNanos).toList()),
          Latency.ofNanos(alone.nanos()),
          Latency.ofNanos(roundTrips),
          measured.size());
    }
  }

  private BlockTopics topics(Stage stage, int count, long blocks) {
    return new BlockTopics(stage.kafka(), count, 1, Math.toIntExact(blocks), blockBytes);
  }

  private List<Round> rounds(
      Stage stage, BlockTopics topics, MixedRun asked, int each, long steps, BenchLog log) {
    log.say("filling %d domains", topics.spec().getDomains().size());
    topics.fill();
    stage.flink().submit("mix", env -> MixJob.build(env, stage.kafka()));
    asked.request(stage.kafka(), RUN);
    RunInfo run = RunDirectory.find(stage.kafka(), RUN, START);
    List<Round> measured = new ArrayList<>();
    try (LoopTrainer trainer = new LoopTrainer(stage.kafka(), run, batchSize)) {
      trainer.begin();
      for (long step = 1; step <= steps; step++) {
        Round round = trainer.step(step);
        if (step > each) {
          measured.add(round);
        }
        if (step % each == 0) {
          log.say("%d of %d rounds", step, steps);
        }
      }
    }
    return measured;
  }
}
