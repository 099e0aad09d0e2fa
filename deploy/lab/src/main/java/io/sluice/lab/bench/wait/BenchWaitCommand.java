package io.sluice.lab.bench.wait;

import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.Benchmark;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.lab.bench.measure.Machine;
import io.sluice.lab.bench.measure.MixPoint;
import io.sluice.lab.bench.measure.MixedRun;
import io.sluice.lab.bench.measure.Ranges;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.service.cluster.ClusterService;
import io.sluice.service.cluster.ClusterSettings;
import io.sluice.service.local.LocalSettings;
import io.sluice.service.supervise.SupervisedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.util.FileUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice bench wait}. */
@Command(
    name = "wait",
    description = {
      "What part of its steps' time a training loop stands still for data, by cause: a cluster of"
          + " processes, a run that rounds re-weight, steps of a fixed length, and a task manager"
          + " that is killed half-way.",
      ""
    })
public final class BenchWaitCommand extends Benchmark {
  private static final Duration START = Duration.ofMinutes(2);
  private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();
  private static final int TASK_MANAGERS = 2;
  private static final int DOMAINS = 8;
  private static final int BATCH = 32;
  private static final int BLOCK_BYTES = 256;
  private static final int ROUND = 20;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Steps of each measurement. Default: 800; 60 with --quick.")
  private @Nullable Integer steps;

  @Option(
      names = "--step-millis",
      paramLabel = "MS",
      description = "How long a step takes. Default: 250; 50 with --quick.")
  private @Nullable Integer stepMillis;

  @Option(
      names = "--lag",
      paramLabel = "N",
      description =
          "Batches between a round's step and the first that it governs, less one; with 0 the loop"
              + " waits for each round. A round is closed every 20 steps. Default:"
              + " ${DEFAULT-VALUE}.")
  private int lag = 60;

  @Override
  public void run() {
    Machine machine = Machine.here();
    int count = steps == null ? (quick() ? 60 : 800) : steps;
    int millis = stepMillis == null ? (quick() ? 50 : 250) : stepMillis;
    Ranges.require("--steps", count, ROUND, 100_000);
    Ranges.require("--step-millis", millis, 1, 60_000);
    Ranges.require("--lag", lag, 0, 10_000);
    BenchLog log = log();
    Path directory = Stage.directory(directory(), "wait-");
    WaitResult result;
    try (ClusterService service =
        ClusterService.start(
            ClusterSettings.of(LocalSettings.in(directory), TASK_MANAGERS),
            event -> log.say("%s", event))) {
      result = measure(service, count, Duration.ofMillis(millis), log);
    } finally {
      FileUtils.deleteDirectoryQuietly(directory.toFile());
    }
    log.say("%s", result.line());
    report(machine, WaitResult.HEAD, result.rows(), result);
  }

  private WaitResult measure(ClusterService service, int count, Duration step, BenchLog log) {
    KafkaAccess kafka = service.access();
    // Weights move, and nobody knows how far: each domain can give it all.
    log.say("filling %d domains", DOMAINS);
    BlockTopics topics = new BlockTopics(kafka, DOMAINS, 1, count * BATCH, BLOCK_BYTES);
    topics.fill();
    WaitResult.Sum sum = new WaitResult.Sum();
    for (int turn = 1; turn <= repeats(); turn++) {
      log.say("%s", BenchLog.turn(turn, repeats()));
      String name = "wait-" + turn;
      apply(kafka, topics, name, count);
      RunInfo run = RunDirectory.find(kafka, name, START);
      SupervisedProcess victim = service.taskManagers().get(turn % TASK_MANAGERS);
      int before = victim.restarts();
      try (SteadyTrainer trainer = new SteadyTrainer(kafka, run, step)) {
        train(trainer, count, victim, log);
        awaitMixing(service, victim, before);
        sum.add(trainer.exposed(), trainer.longest(), victim.restarts() - before);
      }
    }
    return sum.result(lag);
  }

  /** Until the next measurement may begin. */
  private static void awaitMixing(ClusterService service, SupervisedProcess victim, int before) {
    long start = System.nanoTime();
    while (victim.restarts() == before || !service.isMixing()) {
      if (System.nanoTime() - start > START.toNanos()) {
        throw new UnreachableException("the killed task manager does not come back");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static void train(
      SteadyTrainer trainer, int count, SupervisedProcess victim, BenchLog log) {
    trainer.begin();
    for (int done = 1; done <= count; done++) {
      trainer.step();
      if (done == count / 2) {
        victim.kill();
        log.say("a task manager is killed; waited until now: %s", trainer.exposed());
      }
      if (done % (10 * ROUND) == 0 || done == count) {
        log.say("%d of %d steps, waited %s", done, count, trainer.exposed());
      }
    }
  }

  private void apply(KafkaAccess kafka, BlockTopics topics, String name, int count) {
    MixedRun moving =
        new MixedRun(
            topics.spec(),
            MixPoint.PARTITIONS,
            BATCH,
            count,
            "velocitune",
            Map.of("target-fraction", "0.5"),
            ROUND);
    RunSpec spec = RunSpec.newBuilder(moving.spec(name)).setLag(lag).build();
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      RunAdmin.commands(kafka).apply(admin, spec, null);
    }
  }
}
