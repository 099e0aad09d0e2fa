package io.sluice.control.runs;

import io.sluice.mixture.policy.Metrics;
import io.sluice.schema.BatchSize;
import io.sluice.schema.HeldOutSize;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a run's measurements are predicted to cost its trainers, in tokens of each round. A forward
 * pass counts 1 for each token and a backward pass 2, so training on a token costs 3.
 *
 * @param trainedTokens that a round trains on, over all ranks
 * @param evaluatedTokens that it runs forward for held-out losses
 * @param probedTokens that it runs forward and backward for gradients
 */
public record MeasurementCost(long trainedTokens, long evaluatedTokens, long probedTokens) {
  private static final Set<String> ALIGNMENTS = Set.of(Metrics.ALIGNMENT, Metrics.GRADIENT_NORM);
  private static final int TRAINING = 3;

  /** Gradients that the trainers of this release keep at a time to take products of. */
  private static final int KEPT = 32;

  /**
   * The cost of a run's rounds. What they need of each set of held-out blocks is measured in one
   * pass over it; the gradients' target is one domain where the run leaves it open.
   *
   * @param required what the rounds need
   */
  static MeasurementCost of(RunSpec spec, List<RequiredMetric> required) {
    long length = spec.getSequenceLength();
    HeldOutSize size = HeldOutSize.of(spec);
    int domains = spec.getDomains().size() - spec.getRemoved().size();
    long evaluated = 0;
    long aligned = 0;
    long others = 0;
    for (RequiredMetric metric : required) {
      long targets = metric.getTargets().size();
      long ofTarget = size.evalBlocks() * length;
      long batch = Math.max(length, metric.getTokens());
      if (ALIGNMENTS.contains(metric.getName())) {
        aligned = Math.max(aligned, domains * batch + Math.max(1, targets) * ofTarget);
      } else if (metric.getName().equals(Metrics.GRADIENT_PRODUCT)) {
        others += gradients(domains, targets) * batch + targets * ofTarget;
      } else if (metric.getName().equals(Metrics.GRADIENT_MOMENT)) {
        others += 2L * domains * batch;
      } else {
        evaluated = Math.max(evaluated, domains * metric.getTokens());
      }
    }
    long probed = aligned + others;
    long trained = spec.getUpdateEvery() * batchSize(spec.getBatchSizes()) * length;
    return new MeasurementCost(trained, evaluated, probed);
  }

  /** Of domains for their products: those that come after the ones that are kept, once more. */
  private static long gradients(long domains, long targets) {
    if (targets > 0) {
      return domains * ((targets + KEPT - 1) / KEPT);
    }
    long gradients = domains;
    for (long left = domains - KEPT; left > 0; left -= KEPT) {
      gradients += left;
    }
    return gradients;
  }

  /** The smallest batches are those that measuring weighs on most. */
  private static long batchSize(List<BatchSize> sizes) {
    return sizes.stream().mapToLong(BatchSize::getSequences).min().orElse(0);
  }

  /** Cost relative to that of training alone: 0.02 for 2 %; 0 for a run without rounds. */
  public double overhead() {
    return trainedTokens == 0
        ? 0
        : (evaluatedTokens + (double) TRAINING * probedTokens)
            / ((double) TRAINING * trainedTokens);
  }

  /** For people. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "measurements cost about %.1f %% of training: %d tokens evaluated and %d probed for every"
            + " %d trained",
        100 * overhead(),
        evaluatedTokens,
        probedTokens,
        trainedTokens);
  }
}
