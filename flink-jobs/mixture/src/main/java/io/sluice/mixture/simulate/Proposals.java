package io.sluice.mixture.simulate;

/** Plays the process that proposes weights to the policy {@code external}. */
public interface Proposals extends AutoCloseable {
  /** Nobody who proposes anything. */
  Proposals NONE =
      (step, weights, losses) -> {
        throw new IllegalArgumentException(
            "a process must propose weights to the policy external: none is given");
      };

  /**
   * The weights that it proposes for a round.
   *
   * @param step of the round
   * @param weights in force
   * @param losses held-out loss of each domain, as measured
   * @return one for each domain; NaN for those that keep theirs
   */
  double[] propose(long step, double[] weights, double[] losses);

  @Override
  default void close() {}
}
