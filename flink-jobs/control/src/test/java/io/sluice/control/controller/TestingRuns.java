package io.sluice.control.controller;

import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.List;
import java.util.Map;

/** Records of runs over the domains a and b: velocitune, rounds every 10 steps, batches of 8. */
public final class TestingRuns {
  public static final String RUN = "velo-1a2b";
  static final String STREAM = "x-9_AbC";
  static final String DATASET = "books";
  static final long FINGERPRINT = 77;

  private TestingRuns() {}

  public static RunSpec.Builder spec() {
    return RunSpec.newBuilder()
        .setRun("velo")
        .setDataset(DATASET)
        .setFingerprint(FINGERPRINT)
        .setTokenizer("bytes")
        .setVocabulary(259)
        .setSequenceLength(128)
        .setDomains(List.of("a", "b"))
        .setBatchSizes(List.of(new BatchSize(1L, 8)))
        .setSeed(42)
        .setInitialWeights(List.of(Weights.UNIT / 2, Weights.UNIT / 2))
        .setPolicy("velocitune")
        .setPolicySettings(Map.of("target-fraction", "0.5"))
        .setUpdateEvery(10)
        .setEpochs(List.of(1, 1));
  }

  public static RunCommand apply(RunSpec spec) {
    return apply(RUN, spec);
  }

  public static RunCommand apply(String runId, RunSpec spec) {
    return new RunCommand(
        "apply-" + runId, runId, 0L, new ApplyRun(spec, STREAM, null, false, false));
  }

  /** The same for a run with a log of its own. */
  public static RunCommand applyOwn(RunSpec spec, boolean digests) {
    return new RunCommand("apply-" + RUN, RUN, 0L, new ApplyRun(spec, STREAM, null, true, digests));
  }

  public static RunCommand change(String id, String state) {
    return new RunCommand(id, RUN, 0L, new ChangeRunState(state, "somebody asked"));
  }

  /** Mean losses of both domains, from the only rank. */
  public static TrainerFeedback feedback(long step, double lossA, double lossB) {
    return feedback("attempt-" + step, step, 1, 0, lossA, lossB);
  }

  public static TrainerFeedback feedback(
      String attempt, long step, int worldSize, int rank, double lossA, double lossB) {
    return TrainerFeedback.newBuilder()
        .setRunId(RUN)
        .setTimeline(0)
        .setStep(step)
        .setTrainerStep(step)
        .setAttempt(attempt)
        .setWorldSize(worldSize)
        .setRank(rank)
        .setMetric("eval_loss")
        .setEntries(
            List.of(
                new DomainMeasure("a", lossA * 100, 100L), new DomainMeasure("b", lossB * 50, 50L)))
        .setTimeMillis(0)
        .build();
  }

  public static TrainerProgress progress(long batch) {
    return TrainerProgress.newBuilder()
        .setRunId(RUN)
        .setTimeline(0)
        .setBatch(batch)
        .setTrainerStep(batch)
        .setWorldSize(1)
        .setRank(0)
        .setTimeMillis(0)
        .build();
  }

  public static Supply supply(String domain, long blocks, boolean ended) {
    return Supply.newBuilder()
        .setDataset(DATASET)
        .setFingerprint(FINGERPRINT)
        .setDomain(domain)
        .setBlocks(blocks)
        .setEvalBlocks(0)
        .setTrainedTokens(0)
        .setDocuments(0)
        .setEnded(ended)
        .build();
  }
}
