package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.Scale;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A policy of which one setting is tuned: the value that ends with the least mean held-out loss on
 * a seed that does not count is every other seed's.
 *
 * @param policy its name, and the arm's
 * @param setting that is tuned
 * @param values that are tried; of equal losses the first wins
 * @param others settings that stay
 */
record TunedPolicy(String policy, String setting, List<Double> values, Map<String, Object> others) {
  /** Copies the list and the map. */
  TunedPolicy {
    values = List.copyOf(values);
    others = Map.copyOf(others);
  }

  /** An arm for each value. */
  List<Arm> tried(Scale scale, Map<String, Double> initial) {
    return values.stream()
        .map(value -> Arm.of(name(value), scale.steps(), with(initial, value)).unjudged())
        .toList();
  }

  /** The arm with the value that ended best. */
  Arm arm(Scale scale, Map<String, Double> initial) {
    return Arm.of(policy, scale.steps(), with(initial, values.get(0)))
        .after(List.of(), outcomes -> with(initial, best(outcomes)));
  }

  /** The value that ended best. */
  double best(Outcomes outcomes) {
    return values.stream()
        .min(Comparator.comparingDouble(value -> SearchedMixture.loss(outcomes.tuned(name(value)))))
        .orElseThrow();
  }

  /** Whether all its values were tried. */
  boolean isTuned(Outcomes outcomes) {
    return outcomes.tuning().keySet().containsAll(values.stream().map(this::name).toList());
  }

  private Mixture with(Map<String, Double> initial, double value) {
    Map<String, Object> settings = new LinkedHashMap<>(others);
    settings.put(setting, value);
    return Mixture.moved(initial, policy, settings);
  }

  /** Names of runs have no points. */
  private String name(double value) {
    return policy + "-" + setting + "-" + Double.toString(value).replace('.', 'p');
  }
}
