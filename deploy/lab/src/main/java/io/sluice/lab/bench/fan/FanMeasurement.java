package io.sluice.lab.bench.fan;

import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.mix.MixJob;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.lab.bench.measure.MixedRun;
import io.sluice.lab.bench.measure.Ranges;
import io.sluice.lab.bench.measure.ReaderProcess;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.bench.measure.TopicMeter;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import io.sluice.service.flink.JobHandle;
import io.sluice.service.supervise.JavaProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Lets many ranks read one small run, and counts what the broker gives them. */
record FanMeasurement(Path directory, BenchLog log) {
  private static final String RUN = "fan";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int OF_A_PROCESS = 16;
  private static final int BATCHES = 8;
  private static final int ROWS = 4;
  private static final int LENGTH = 1024;
  private static final int DOMAINS = 8;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Checks the model with so many readers. */
  List<FanCheck> check(int readers) {
    Ranges.require("--measure", readers, 1, 256);
    FanShape shape = new FanShape(readers, 8, 1, LENGTH, ROWS, DOMAINS, 1, readers, 1, 1);
    try (Stage stage = Stage.with(directory, BrokerCounts.SETTINGS);
        BrokerCounts counts = BrokerCounts.of(stage.broker())) {
      // Taken before the job runs: its own connections are closed some time after it has ended.
      long connections = counts.connections();
      RunInfo run = write(stage, shape);
      List<ReaderProcess> processes = new ArrayList<>();
      try {
        for (int rank = 0; rank < readers; rank += OF_A_PROCESS) {
          processes.add(start(stage, rank, Math.min(OF_A_PROCESS, readers - rank), readers));
        }
        return count(
            FanModel.of(shape), stage.kafka().topics(), run, counts, connections, processes);
      } finally {
        processes.forEach(ReaderProcess::close);
      }
    }
  }

  /** A run that has all that its trainers may have before they have made progress. */
  private RunInfo write(Stage stage, FanShape shape) {
    KafkaAccess kafka = stage.kafka();
    int sequences = BATCHES * shape.batch();
    BlockTopics blocks =
        BlockTopics.ofLength(kafka, DOMAINS, sequences / DOMAINS + 2 * BATCHES, LENGTH);
    blocks.fill();
    log.say("mixing %d batches of %d sequences", BATCHES, shape.batch());
    JobHandle job = stage.flink().submit("mix", env -> MixJob.build(env, kafka));
    MixedRun fixed =
        new MixedRun(
            blocks.spec(), shape.partitions(), shape.batch(), BATCHES, "static", Map.of(), 0);
    RunSpec spec = RunSpec.newBuilder(fixed.spec(RUN)).setBatches(0).setLead(BATCHES).build();
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      RunAdmin.commands(kafka).apply(admin, spec, null);
    }
    RunInfo run = RunDirectory.find(kafka, RUN, PATIENCE);
    try (TopicMeter meter = new TopicMeter(stage)) {
      meter.awaitRecords(
          BenchTopics.partitions(kafka.topics().stream(RUN), shape.partitions()), sequences);
    }
    job.cancel();
    return run;
  }

  private static ReaderProcess start(Stage stage, int first, int count, int all) {
    List<String> arguments =
        List.of(
            stage.kafka().bootstrapServers(),
            RUN,
            Integer.toString(first),
            Integer.toString(count),
            Integer.toString(all));
    return ReaderProcess.start(
        new JavaProcess(FanReading.class.getName(), List.of("-Xmx512m"), arguments)
            .builder(List.of()));
  }

  private List<FanCheck> count(
      FanModel model,
      Topics topics,
      RunInfo run,
      BrokerCounts counts,
      long connections,
      List<ReaderProcess> readers) {
    FanShape shape = model.shape();
    log.say("opening %d readers in %d processes", shape.gpus(), readers.size());
    long opened = ask(readers, "open");
    log.say("reading");
    long rows = ask(readers, Integer.toString(BATCHES));
    if (opened != shape.gpus() || rows != (long) BATCHES * shape.batch()) {
      throw new IllegalStateException(opened + " readers have read " + rows + " sequences");
    }
    log.say("waiting");
    long requests = counts.requests();
    long start = System.nanoTime();
    LockSupport.parkNanos(IDLE_NANOS);
    double seconds = (System.nanoTime() - start) / 1e9;
    double perSecond = (counts.requests() - requests) / seconds;
    String control = topics.control(run.runId());
    return List.of(
        FanCheck.of(
            "bytes out of the stream",
            model.streamBytes(rows),
            counts.bytesOut(topics.stream(RUN))),
        FanCheck.of(
            "bytes out of the control log",
            model.logBytes((double) counts.bytesIn(control)),
            counts.bytesOut(control)),
        FanCheck.of("bytes of claims", model.claimBytes(), counts.bytesOut(topics.feedback(RUN))),
        FanCheck.of(
            "bytes into feedback",
            model.feedbackBytes(BATCHES),
            counts.bytesIn(topics.feedback(RUN))),
        FanCheck.of(
            "connections",
            (double) model.tokens().firstConnections(),
            counts.connections() - connections),
        FanCheck.of(
            "requests a second while all wait",
            model.idleRequestsPerSecond(),
            Math.round(perSecond)));
  }

  private static long ask(List<ReaderProcess> readers, String what) {
    readers.forEach(reader -> reader.ask(what));
    return readers.stream().mapToLong(reader -> reader.answer().asLong()).sum();
  }
}
