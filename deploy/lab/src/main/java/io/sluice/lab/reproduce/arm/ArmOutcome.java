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

  /** Shares of all batches, each granted as its weights were. */
  public Map<String, Double> averageWeights() {
    Map<String, Double> average = new LinkedHashMap<>();
    Long from = null;
    Map<String, Double> current = Map.of();
    for (Map.Entry<Long, Map<String, Double>> next : weights.entrySet()) {
      if (from != null) {
        add(average, current, next.getKey() - from);
      }
      from = next.getKey();
      current = next.getValue();
    }
    if (from != null) {
      add(average, current, steps + 1 - from);
    }
    return average;
  }

  private void add(Map<String, Double> average, Map<String, Double> shares, long batches) {
    shares.forEach((domain, share) -> average.merge(domain, share * batches / steps, Double::sum));
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
