package io.sluice.lab.bench.step;

import io.sluice.jobs.mix.MixJob;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.lab.bench.measure.MixedRun;
import io.sluice.lab.bench.measure.SealedBlocks;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Runs of one dataset whose batches are the same, one for each delivery, named after it.
 *
 * @param length tokens of a sequence
 * @param batch sequences
 * @param batches of each run
 */
record StepRuns(int length, int batch, int batches) {
  static final List<String> DELIVERIES = List.of("tokens", "derived");

  private static final int DOMAINS = 64;
  private static final int PARTITIONS = 4;
  private static final Duration JOB_START = Duration.ofMinutes(5);

  /** Makes them on a stage, whose job goes on mixing them. */
  void start(Stage stage, BenchLog log) {
    int rows = ((batch + DOMAINS - 1) / DOMAINS) * batches;
    BlockTopics blocks = BlockTopics.ofLength(stage.kafka(), DOMAINS, rows, length);
    DatasetSpec dataset = SealedBlocks.of(stage, blocks, rows, log);
    stage.flink().submit("mix", env -> MixJob.build(env, stage.kafka())).awaitRunning(JOB_START);
    MixedRun fixed = new MixedRun(dataset, PARTITIONS, batch, batches, "static", Map.of(), 0);
    for (String delivery : DELIVERIES) {
      MixedRun.request(
          stage.kafka(), RunSpec.newBuilder(fixed.spec(delivery)).setDelivery(delivery).build());
    }
  }
}
