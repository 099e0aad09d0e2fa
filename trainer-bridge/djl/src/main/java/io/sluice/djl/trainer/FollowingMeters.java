package io.sluice.djl.trainer;

import io.sluice.client.error.EvalSetException;
import io.sluice.client.run.RunInfo;
import io.sluice.djl.measure.ScheduledMeter;
import io.sluice.djl.measure.TrainLoss;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.ReferenceModel;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.run.RowLengths;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of a run whose specification may be revised while it trains: each step is measured as
 * the specification that governs its batch wants it.
 */
final class FollowingMeters implements LongFunction<List<ScheduledMeter>> {
  private static final Logger LOG = LoggerFactory.getLogger(FollowingMeters.class);

  private final LongFunction<RunInfo> runAt;
  private final HeldOut heldOut;
  private final TrainerSettings settings;
  private final ModelSize size;
  private final TrainingLoop loop;
  private final Optional<ReferenceModel> reference;
  private @Nullable RunSpec current;
  private List<ScheduledMeter> meters = List.of();
  private boolean gathers;
  private int rowLength;

  /** Reads the first held-out blocks of each domain. */
  interface HeldOut {
    Map<String, List<TokenBlock>> read(RunInfo run, int blocksPerDomain);
  }

  /**
   * Meters that begin with the specification of a step.
   *
   * @param runAt the run as it governs a batch
   * @throws IllegalArgumentException if the run's policy waits for what cannot be measured
   */
  FollowingMeters(
      LongFunction<RunInfo> runAt,
      long firstStep,
      HeldOut heldOut,
      TrainerSettings settings,
      ModelSize size,
      TrainingLoop loop,
      Optional<ReferenceModel> reference) {
    this.runAt = runAt;
    this.heldOut = heldOut;
    this.settings = settings;
    this.size = size;
    this.loop = loop;
    this.reference = reference;
    RunInfo run = runAt.apply(firstStep);
    adopt(run, firstStep, new RunMeters(run.spec(), settings));
  }

  @Override
  public List<ScheduledMeter> apply(long step) {
    RunInfo run = runAt.apply(step);
    if (!run.spec().equals(current)) {
      revise(run, step);
    } else if (rowLength(run, step) != rowLength) {
      LOG.info("from step {} on rows have {} labels", step, rowLength(run, step));
      adopt(run, step, new RunMeters(run.spec(), settings));
    }
    return meters;
  }

  private void revise(RunInfo run, long step) {
    LOG.info(
        "from step {} on the run has policy {} and a round every {} steps",
        step,
        run.spec().getPolicy(),
        run.spec().getUpdateEvery());
    try {
      RunMeters revised = new RunMeters(run.spec(), settings);
      if (!gathers) {
        loop.trainLoss().restart();
      }
      adopt(run, step, revised);
    } catch (IllegalArgumentException | EvalSetException e) {
      LOG.warn("the run goes on, its rounds do not: {}", e.getMessage());
      current = run.spec();
      meters = List.of();
      gathers = false;
    }
  }

  /** That of the batch which was trained on last; at the beginning that of the first one. */
  private static int rowLength(RunInfo run, long step) {
    return RowLengths.at(run.spec(), Math.max(1, step));
  }

  private void adopt(RunInfo run, long step, RunMeters revised) {
    if (RunMeters.isUnspecified(run.spec())) {
      LOG.warn(
          "run {} was specified before it was kept what its rounds wait for: only held-out losses are"
              + " measured; set its policy anew with 'sluice run policy'",
          run.runId());
    }
    rowLength = rowLength(run, step);
    meters =
        revised.over(heldOut.read(run, revised.heldOutBlocks()), rowLength, size, loop, reference);
    int rows = run.spec().getSequenceLength() / rowLength;
    loop.trainedBlocks().gather(revised.trainedBlocks() * rows);
    gathers = revised.requires(TrainLoss.METRIC);
    current = run.spec();
  }
}
