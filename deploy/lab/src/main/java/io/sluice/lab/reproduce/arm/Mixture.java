package io.sluice.lab.reproduce.arm;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an arm's run file says of weights.
 *
 * @param initial first weights by domain, in any scale
 * @param policy as in a run's file: {@code {velocitune: {every: 20}}}
 */
public record Mixture(Map<String, Double> initial, Map<String, Object> policy) {
  /** Copies the maps. */
  public Mixture {
    initial = Collections.unmodifiableMap(new LinkedHashMap<>(initial));
    policy = Collections.unmodifiableMap(new LinkedHashMap<>(policy));
  }

  /** Weights that stay. */
  public static Mixture fixed(Map<String, Double> weights) {
    return new Mixture(weights, Map.of("static", Map.of()));
  }

  /** Weights that a policy moves. */
  public static Mixture moved(Map<String, Double> initial, String policy, Map<String, ?> settings) {
    return new Mixture(initial, Map.of(policy, settings));
  }
}
