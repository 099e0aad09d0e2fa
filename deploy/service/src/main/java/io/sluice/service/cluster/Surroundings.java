package io.sluice.service.cluster;

import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * What a test puts around the processes of a cluster.
 *
 * @param told from a port that a broker or the job manager listens on to the one that others are
 *     told
 * @param environment variables that every process has beside its own
 */
public record Surroundings(IntUnaryOperator told, Map<String, String> environment) {
  /** Nothing. */
  public static final Surroundings NONE = new Surroundings(IntUnaryOperator.identity(), Map.of());

  /** Copies the map. */
  public Surroundings {
    environment = Map.copyOf(environment);
  }
}
