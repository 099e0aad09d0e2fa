package io.sluice.mixture.simulate.scenario;

import java.util.List;

/**
 * What a run of the past was trained on, and what its held-out losses were.
 *
 * @param rounds in their order, the first before training
 */
public record RecordedCourse(List<Round> rounds) {
  /**
   * What was measured at one step.
   *
   * @param tokens of each domain trained on until then, in any unit
   * @param losses of each domain, in nats per token
   */
  public record Round(double[] tokens, double[] losses) {}

  /** Copies the list. */
  public RecordedCourse {
    rounds = List.copyOf(rounds);
  }
}
