package io.sluice.lab.bench.loop;

import io.sluice.control.controller.RunController;
import io.sluice.control.controller.RunEffect;
import io.sluice.control.controller.RunStore;
import io.sluice.control.controller.SupplyIndex;
import io.sluice.control.topics.RunLog;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A run's controller alone, which reads a report, decides, and writes a grant: the part of the loop
 * that is arithmetic, without broker and state backend.
 */
final class ControllerRounds {
  private static final long NOW = 1_000;
  private static final long BLOCKS = 1L << 40;

  private final RunSpec spec;
  private final String runId;
  private final RunController controller;
  private final long[] blocks;
  private long offset;

  /**
   * What the rounds came to.
   *
   * @param nanos from a report's bytes to its grant's, of each round after the warm-up
   * @param blocks that the domain with the most of them was granted, warm-up included
   */
  record Measured(List<Long> nanos, long blocks) {}

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

  private ControllerRounds(RunSpec spec) {
    this.spec = spec;
    this.runId = spec.getRun() + ".bench";
    this.blocks = new long[spec.getDomains().size()];
    SupplyIndex supply = new SupplyIndex();
    spec.getDomains().forEach(domain -> supply.offer(supply(domain)));
    this.controller =
        new RunController(runId, new Parts(), new RunController.Instance("bench", 0, supply), NOW);
  }

  private Supply supply(String domain) {
    return Supply.newBuilder()
        .setDataset(spec.getDataset())
        .setFingerprint(spec.getFingerprint())
        .setDomain(domain)
        .setBlocks(BLOCKS)
        .setEvalBlocks(0)
        .setTrainedTokens(0)
        .setDocuments(0)
        .setEnded(false)
        .build();
  }

  /**
   * Starts a run and closes its rounds, of one step each.
   *
   * @param warmUp rounds that are not measured
   * @param steps of all rounds
   */
  static Measured measure(RunSpec spec, int warmUp, long steps) {
    ControllerRounds rounds = new ControllerRounds(spec);
    rounds.start();
    List<Long> nanos = new ArrayList<>();
    for (long step = 1; step <= steps; step++) {
      byte[] report = rounds.report(step);
      long start = System.nanoTime();
      List<byte[]> written = rounds.hear(report);
      if (step > warmUp) {
        nanos.add(System.nanoTime() - start);
      }
      rounds.readBack(written);
    }
    return new Measured(nanos, Arrays.stream(rounds.blocks).max().orElseThrow());
  }

  private void start() {
    RunCommand asked =
        RunCommand.newBuilder()
            .setCommandId("start")
            .setRunId(runId)
            .setTimeMillis(NOW)
            .setBody(new ApplyRun(spec, "", null, false))
            .build();
    readBack(proposals(controller.onCommand(asked, NOW)));
    hear(report(0));
  }

  private byte[] report(long step) {
    List<DomainMeasure> losses =
        spec.getDomains().stream()
            .map(
                domain ->
                    new DomainMeasure(
                        domain,
                        LoopTrainer.TOKENS * LoopTrainer.loss(domain, step),
                        LoopTrainer.TOKENS))
            .toList();
    return WireCodec.encode(
        TrainerFeedback.newBuilder()
            .setRunId(runId)
            .setTimeline(0)
            .setStep(step)
            .setTrainerStep(step)
            .setAttempt("step-" + step)
            .setWorldSize(1)
            .setRank(0)
            .setMetric("eval_loss")
            .setEntries(losses)
            .setTimeMillis(NOW)
            .build());
  }

  private List<byte[]> hear(byte[] report) {
    return proposals(controller.onFeedback(WireCodec.decode(TrainerFeedback.class, report), NOW));
  }

  private static List<byte[]> proposals(List<RunEffect> effects) {
    List<byte[]> written = new ArrayList<>();
    for (RunEffect effect : effects) {
      if (effect instanceof RunEffect.Propose propose) {
        written.add(WireCodec.encode(propose.record()));
      }
    }
    return written;
  }

  /** The log accepts all that is written, until nothing follows from it. */
  private void readBack(List<byte[]> written) {
    if (written.isEmpty()) {
      throw new IllegalStateException("the controller of " + runId + " proposes nothing");
    }
    List<byte[]> next = written;
    while (!next.isEmpty()) {
      ControlRecord record = WireCodec.decode(ControlRecord.class, next.get(0));
      count(record);
      next = proposals(controller.onControl(record, RunLog.SHARED, offset++, next.get(0), NOW));
    }
  }

  private void count(ControlRecord record) {
    if (record.getBody() instanceof MixtureGrant grant) {
      List<Integer> counts = grant.getCounts();
      for (int i = 0; i < counts.size(); i++) {
        blocks[i % blocks.length] += counts.get(i);
      }
    }
  }
}
