package io.sluice.cli.plan.need;

import io.sluice.control.runs.MeasurementCost;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.wire.RunSpecs;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a run's decisions take of its trainers, all ranks together.
 *
 * @param every batches between decisions
 * @param sequences held-out ones that are read for each decision, in whole blocks
 * @param evaluated tokens of them
 * @param probed tokens that are run forward and backward for gradients
 * @param trained tokens between decisions
 * @param overhead relative to training alone: 0.02 for 2 %
 * @param from what says how many tokens are evaluated
 */
public record EvaluationCost(
    long every,
    long sequences,
    long evaluated,
    long probed,
    long trained,
    double overhead,
    String from) {
  /**
   * The cost of a run; empty if its policy decides nothing by measurements, or nobody knows how
   * much is held out.
   *
   * @param heldOut tokens of all its domains that are or will be held out, for a run that evaluates
   *     them all; empty if that is not known
   */
  public static Optional<EvaluationCost> of(RunSpec run, OptionalLong heldOut) {
    if (run.getEvalTokens() > 0) {
      return RunApplication.predictedCost(run).map(cost -> of(run, cost, "eval-tokens"));
    }
    List<RequiredMetric> required = run.getMetrics();
    if (required == null || required.isEmpty() || heldOut.isEmpty()) {
      return Optional.empty();
    }
    long ofDomain = Counts.parts(heldOut.getAsLong(), run.getDomains().size());
    RunSpec all =
        RunSpecs.complete(
            RunSpec.newBuilder(run).setEvalTokens(Math.max(1, ofDomain)).setMetrics(null).build());
    return RunApplication.predictedCost(all).map(cost -> of(run, cost, "all that is held out"));
  }

  private static EvaluationCost of(RunSpec run, MeasurementCost cost, String from) {
    return new EvaluationCost(
        run.getUpdateEvery(),
        cost.evaluatedTokens() / run.getSequenceLength(),
        cost.evaluatedTokens(),
        cost.probedTokens(),
        cost.trainedTokens(),
        cost.overhead(),
        from);
  }
}
