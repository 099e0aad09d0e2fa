package io.sluice.control.runs;

import io.sluice.mixture.policy.Metrics;
import io.sluice.schema.BatchSize;
import io.sluice.schema.HeldOutSize;
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
 * @param probedTokens that it runs forward and backward for gradient alignments
 */
public record MeasurementCost(long trainedTokens, long evaluatedTokens, long probedTokens) {
  private static final Set<String> OF_HELD_OUT = Set.of(Metrics.EVAL_LOSS, Metrics.PERPLEXITY);
  private static final Set<String> OF_GRADIENTS = Set.of(Metrics.ALIGNMENT, Metrics.GRADIENT_NORM);
  private static final int TRAINING = 3;

  /**
   * The cost of a run's rounds.
   *
   * @param metrics that its policy waits for
   * @param heldOutTokens of a domain that are evaluated where the run leaves that open
   * @param targetDomains whose held-out blocks are the set that gradients are aligned with
   */
  public static MeasurementCost of(
      RunSpec spec, Set<String> metrics, long heldOutTokens, int targetDomains) {
    long length = spec.getSequenceLength();
    HeldOutSize size = HeldOutSize.of(spec);
    long evalTokens = size.evalBlocks() == 0 ? heldOutTokens : size.evalBlocks() * length;
    int domains = spec.getDomains().size() - spec.getRemoved().size();
    boolean evaluates = metrics.stream().anyMatch(OF_HELD_OUT::contains);
    boolean probes = metrics.stream().anyMatch(OF_GRADIENTS::contains);
    return new MeasurementCost(
        spec.getUpdateEvery() * batchSize(spec.getBatchSizes()) * length,
        evaluates ? domains * evalTokens : 0,
        probes ? domains * size.probeBlocks() * length + targetDomains * evalTokens : 0);
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
