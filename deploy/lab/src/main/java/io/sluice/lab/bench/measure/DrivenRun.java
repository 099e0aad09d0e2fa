package io.sluice.lab.bench.measure;

import io.sluice.control.controller.RunController;
import io.sluice.control.controller.RunEffect;
import io.sluice.control.controller.RunStore;
import io.sluice.control.supply.SupplyIndex;
import io.sluice.control.topics.RunLog;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A run's controller in memory, with a made-up trainer and a log that takes all that it writes:
 * without broker and state backend.
 */
public final class DrivenRun {
  /** Tokens of each domain that a loss is measured over. */
  public static final long TOKENS = 1_000;

  private final String runId;
  private final RunController controller;
  private final Consumer<RunEffect.Propose> log;
  private final long now;
  private long offset;

  /** Parts in memory. */
  private static final class Parts implements RunStore {
    private final Map<String, byte[]> parts = new HashMap<>();

    @Override
    public Map<String, byte[]> load() {
      return Map.copyOf(parts);
    }

    @Override
    public void put(String part, byte[] bytes) {
      parts.put(part, bytes);
    }

    @Override
    public void remove(String part) {
      parts.remove(part);
    }

    @Override
    public void clear() {
      parts.clear();
    }
  }

  /**
   * A run that nobody has asked for yet.
   *
   * @param log takes the entries in their order: the first is the start, at offset 0
   * @param now the time of all that happens to it
   */
  public DrivenRun(String runId, SupplyIndex supply, Consumer<RunEffect.Propose> log, long now) {
    this.runId = runId;
    this.log = log;
    this.now = now;
    this.controller =
        new RunController(
            runId, new Parts(), new RunController.Instance("bench", now, supply), now);
  }

  /** As many blocks of each of a run's domains as asked for, and no end of them. */
  public static SupplyIndex supply(RunSpec run, long blocks) {
    SupplyIndex supply = new SupplyIndex();
    for (String domain : run.getDomains()) {
      supply.offer(
          Supply.newBuilder()
              .setDataset(run.getDataset())
              .setFingerprint(run.getFingerprint())
              .setDomain(domain)
              .setBlocks(blocks)
              .setEvalBlocks(0)
              .setTrainedTokens(0)
              .setDocuments(0)
              .setEnded(false)
              .build());
    }
    return supply;
  }

  /**
   * Asks for the run and lets it start.
   *
   * @param streamTopicId Kafka's id of its stream topic; '' if there is none
   * @return what was asked
   */
  public RunCommand start(RunSpec spec, String streamTopicId) {
    RunCommand asked =
        RunCommand.newBuilder()
            .setCommandId("start")
            .setRunId(runId)
            .setTimeMillis(now)
            .setBody(new ApplyRun(spec, streamTopicId, null, true, false))
            .build();
    readBack(proposals(controller.onCommand(asked, now)));
    return asked;
  }

  /** The report of a step, with a loss for each domain. */
  public TrainerFeedback report(List<DomainMeasure> losses, long step) {
    return TrainerFeedback.newBuilder()
        .setRunId(runId)
        .setTimeline(0)
        .setStep(step)
        .setTrainerStep(step)
        .setAttempt("step-" + step)
        .setWorldSize(1)
        .setRank(0)
        .setMetric("eval_loss")
        .setEntries(losses)
        .setTimeMillis(now)
        .build();
  }

  /** What the controller proposes once it has heard a report. */
  public List<RunEffect.Propose> hear(TrainerFeedback report) {
    return proposals(controller.onFeedback(report, now));
  }

  /** The trainer has come to a batch; the log takes what follows from that. */
  public void progress(long batch) {
    TrainerProgress progress =
        TrainerProgress.newBuilder()
            .setRunId(runId)
            .setTimeline(0)
            .setBatch(batch)
            .setTrainerStep(batch)
            .setWorldSize(1)
            .setRank(0)
            .setTimeMillis(now)
            .build();
    readBack(proposals(controller.onProgress(progress, now)));
  }

  /** The log takes what was proposed, and what follows from that, until nothing does. */
  public void readBack(List<RunEffect.Propose> proposed) {
    List<RunEffect.Propose> next = proposed;
    while (!next.isEmpty()) {
      RunEffect.Propose entry = next.get(0);
      log.accept(entry);
      next =
          proposals(controller.onControl(entry.record(), RunLog.OWN, offset++, entry.value(), now));
    }
  }

  /** How many entries the log has. */
  public long entries() {
    return offset;
  }

  private static List<RunEffect.Propose> proposals(List<RunEffect> effects) {
    List<RunEffect.Propose> found = new ArrayList<>();
    for (RunEffect effect : effects) {
      if (effect instanceof RunEffect.Propose propose) {
        found.add(propose);
      }
    }
    return found;
  }
}
