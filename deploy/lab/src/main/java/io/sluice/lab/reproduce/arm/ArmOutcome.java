package io.sluice.lab.reproduce.arm;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * What came of an arm.
 *
 * @param steps batches trained on
 * @param losses held-out losses that steered it, in nats per token, by step and domain
 * @param weights granted shares by first batch and domain
 * @param test of the final model; of no domain for an arm that is not judged
 * @param sequences of each domain in its stream
 * @param audit the audit of its stream in a line, with the digest of all that is in it
 * @param passed whether the audit found nothing
 */
public record ArmOutcome(
    long steps,
    SortedMap<Long, Map<String, Double>> losses,
    SortedMap<Long, Map<String, Double>> weights,
    TestedModel test,
    Map<String, Double> sequences,
    String audit,
    boolean passed) {

  /** The same with another test. */
  public ArmOutcome tested(TestedModel other) {
    return new ArmOutcome(steps, losses, weights, other, sequences, audit, passed);
  }

  /** Shares of all batches, each granted as its weights were. */
  public Map<String, Double> averageWeights() {
    return sharesUntil(steps);
  }

  /**
   * What of the run's batches each domain was granted until a step, as a share of all of them.
   *
   * @param step the last batch that counts; 0 for none
   */
  public Map<String, Double> sharesUntil(long step) {
    Map<String, Double> until = new LinkedHashMap<>();
    weights.forEach(
        (first, shares) -> {
          SortedMap<Long, Map<String, Double>> later = weights.tailMap(first + 1);
          long last = later.isEmpty() ? steps : later.firstKey() - 1;
          double batches = Math.max(0, Math.min(step, last) - first + 1);
          shares.forEach(
              (domain, share) -> until.merge(domain, share * batches / steps, Double::sum));
        });
    return until;
  }

  /** Final weights by domain. */
  public Map<String, Double> lastWeights() {
    return Objects.requireNonNull(weights.get(weights.lastKey()));
  }

  /** Held-out losses before training, by domain. */
  public Map<String, Double> firstLosses() {
    return Objects.requireNonNull(losses.get(losses.firstKey()));
  }

  /** Final held-out losses by domain. */
  public Map<String, Double> lastLosses() {
    return Objects.requireNonNull(losses.get(losses.lastKey()));
  }
}
