package io.sluice.lab.reproduce.claim;

import java.util.Optional;

/** What an arm's measure is compared with. */
public sealed interface Comparison {
  /** The arm that it is compared with, if it is one. */
  default Optional<String> other() {
    return Optional.empty();
  }

  /** The measure of another arm with the same seed. */
  record Against(String arm) implements Comparison {
    @Override
    public Optional<String> other() {
      return Optional.of(arm);
    }
  }

  /**
   * The measure of another arm with the same seed, from which it is to be away by a factor.
   *
   * @param ratio above 1: below, it must be at most the other's over it, above, at least the
   *     other's times it
   */
  record Ratio(String arm, double ratio) implements Comparison {
    @Override
    public Optional<String> other() {
      return Optional.of(arm);
    }
  }

  /** A number. */
  record Threshold(double value) implements Comparison {}
}
