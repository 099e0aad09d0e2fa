package io.sluice.djl.trainer;

import io.sluice.djl.model.TokenSum;
import java.util.Map;

/**
 * What one optimizer step did.
 *
 * @param step batches of the stream the model has been trained on, this one included
 * @param timeline of the batch
 * @param weightsVersion version of the mixture that governs the batch
 * @param loss mean training loss before the update, in nats per token
 * @param tokens trained tokens
 * @param gradientNorm before clipping
 * @param waitNanos time spent waiting for the batch
 * @param stepNanos time spent training on it
 * @param sequences of the batch by domain
 * @param losses sums of the training loss, before the update, by domain; none where they are not
 *     known
 */
public record StepReport(
    long step,
    int timeline,
    int weightsVersion,
    double loss,
    long tokens,
    double gradientNorm,
    long waitNanos,
    long stepNanos,
    Map<String, Integer> sequences,
    Map<String, TokenSum> losses) {
  /** Copies the maps. */
  public StepReport {
    losses = Map.copyOf(losses);
    sequences = Map.copyOf(sequences);
  }
}
