package io.sluice.lab.chaos.fault;

import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.Document;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.DomainShare;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.SetWeights;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Records of each kind that are larger, or mean more, than any should. */
record HostileRecords(String runId, RunSpec spec) {
  private static final int RANKS = 64;
  private static final int METRICS = 700;
  private static final int UNKNOWN_RUNS = 200;
  private static final int MANY = 10_000;
  private static final String HUGE = "x".repeat(1_000_000);
  private static final int LONG_ID = 17 << 20;
  private static final int LONG_TOPIC_ID = 70_000;

  /** Texts of a megabyte, a topic id that no file format takes, runs that there are not. */
  List<RunCommand> commands() {
    List<DomainShare> shares =
        IntStream.range(0, MANY).mapToObj(i -> new DomainShare("domain-" + i, 0.5)).toList();
    ApplyRun another =
        ApplyRun.newBuilder()
            .setSpec(spec)
            .setStreamTopicId("x".repeat(LONG_TOPIC_ID))
            .setOwnLog(true)
            .build();
    return List.of(
        command("hostile-1", runId, new ChangeRunState("paused", HUGE)),
        command(HUGE, runId, new ChangeRunState("paused", "a long id")),
        command("hostile-2", runId, new ChangeRunState(HUGE, "a state that there is not")),
        command("hostile-3", runId, new SetWeights(shares, null, HUGE)),
        command("hostile-4", "unknown." + HUGE, new ChangeRunState("deleted", "of nobody")),
        command("hostile-5", "unknown.run", another));
  }

  private static RunCommand command(String id, String run, Object body) {
    return RunCommand.newBuilder()
        .setCommandId(id)
        .setRunId(run)
        .setTimeMillis(Long.MAX_VALUE)
        .setBody(body)
        .build();
  }

  /** Ranks that measure hundreds of things, one of them from before the beginning. */
  List<TrainerAttached> attachments() {
    List<String> metrics = IntStream.range(0, METRICS).mapToObj(i -> "metric_" + i).toList();
    List<TrainerAttached> attachments = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      attachments.add(
          TrainerAttached.newBuilder()
              .setRunId(runId)
              .setTimeline(0)
              .setBatch(rank == 1 ? Long.MIN_VALUE : 0)
              .setWorldSize(RANKS)
              .setRank(rank == 2 ? -1 : rank)
              .setHolder("h".repeat(rank == 0 ? MANY : 20))
              .setHost("x".repeat(MANY))
              .setPid(-1)
              .setMetrics(metrics)
              .setTimeMillis(0)
              .build());
    }
    return attachments;
  }

  /** One of this run with numbers beyond all bounds, and many of runs that there are not. */
  List<TrainerFeedback> reports() {
    List<DomainMeasure> measures =
        IntStream.range(0, MANY)
            .mapToObj(i -> new DomainMeasure("domain-" + i, Double.NaN, Long.MIN_VALUE))
            .toList();
    List<TrainerFeedback> reports = new ArrayList<>();
    for (int i = 0; i <= UNKNOWN_RUNS; i++) {
      reports.add(
          TrainerFeedback.newBuilder()
              .setRunId(i == 0 ? runId : "unknown." + i)
              .setTimeline(i == 0 ? Integer.MAX_VALUE : 0)
              .setStep(i == 0 ? Long.MAX_VALUE : i)
              .setTrainerStep(-1)
              .setAttempt("attempt-" + i)
              .setWorldSize(i == 0 ? Integer.MAX_VALUE : 1)
              .setRank(0)
              .setMetric("eval_loss")
              .setEntries(i < 2 ? measures : measures.subList(0, 2))
              .setTimeMillis(0)
              .build());
    }
    return reports;
  }

  /** Progress to the end of time, with a checkpoint there. */
  TrainerProgress progress() {
    return TrainerProgress.newBuilder()
        .setRunId(runId)
        .setTimeline(0)
        .setBatch(Long.MAX_VALUE)
        .setTrainerStep(0)
        .setWorldSize(Integer.MAX_VALUE)
        .setRank(0)
        .setOldestCheckpoint(Long.MAX_VALUE)
        .setTimeMillis(0)
        .build();
  }

  /** A document whose id fills a block by itself. */
  Document document() {
    return Document.newBuilder()
        .setId("x".repeat(LONG_ID))
        .setText("a short text")
        .setOrigin("poison")
        .build();
  }
}
