package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.simulate.Candidate;
import io.sluice.mixture.simulate.Simulation;
import io.sluice.mixture.simulate.scenario.FittedScenario;
import io.sluice.mixture.simulate.scenario.RecordedCourse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the simulator would have said of an arm: its learners are fitted to the other arms of the
 * same seed, the arm's policy steers them, and the loss that it ends with is compared with that of
 * another arm, as the real one is.
 */
final class SimulatedDifference {
  private final Judged judged;
  private final String against;
  private final List<String> domains;

  /**
   * Differences of a trial.
   *
   * @param against the arm that the others are compared with
   */
  SimulatedDifference(Judged judged, String against) {
    this.judged = judged;
    this.against = against;
    this.domains = List.copyOf(judged.outcome().lastLosses().keySet());
  }

  /**
   * Adds {@code loss_difference/real} and {@code loss_difference/simulated}: of the mean held-out
   * loss at the end, in nats per token. Adds nothing to the arm that others are compared with, or
   * where that has not ended.
   */
  void addTo(Map<String, Double> measures) {
    String name = judged.arm().name();
    Map<String, ArmOutcome> all = judged.all().byArm();
    if (name.equals(against) || !all.containsKey(against)) {
      return;
    }
    Map<String, ArmOutcome> others = new TreeMap<>(all);
    others.remove(name);
    judged.trial().arms().stream()
        .filter(arm -> !arm.judged())
        .forEach(arm -> others.remove(arm.name()));
    FittedScenario fitted = FittedScenario.of(others.values().stream().map(this::course).toList());
    double simulated = end(fitted, name) - end(fitted, against);
    double real =
        Measures.mean(judged.outcome().lastLosses().values())
            - Measures.mean(judged.all().of(against).lastLosses().values());
    measures.put("loss_difference/real", real);
    measures.put("loss_difference/simulated", simulated);
  }

  private RecordedCourse course(ArmOutcome outcome) {
    List<RecordedCourse.Round> rounds = new ArrayList<>();
    outcome
        .losses()
        .forEach(
            (step, losses) ->
                rounds.add(
                    new RecordedCourse.Round(
                        byDomain(outcome.sharesUntil(step), 0), byDomain(losses, Double.NaN))));
    return new RecordedCourse(rounds);
  }

  /** Mean loss that an arm is simulated to end with. */
  private double end(FittedScenario fitted, String name) {
    Mixture mixture = judged.trial().arm(name).mixture().apply(judged.all());
    String policy = mixture.policy().keySet().iterator().next();
    Map<String, String> settings = new TreeMap<>();
    flatten("", mixture.policy().get(policy), settings);
    String every = settings.remove("every");
    double[] losses =
        Simulation.of(
                fitted.scenario(
                    domains,
                    Weights.ofShares(byDomain(mixture.initial(), 0)),
                    judged.scale().steps(),
                    every == null ? judged.scale().every() : Integer.parseInt(every),
                    1.0 / judged.scale().steps()),
                new Candidate(name, policy, settings, Map.of()),
                judged.trial().seed())
            .finalLosses();
    return Measures.mean(Arrays.stream(losses).boxed().toList());
  }

  private double[] byDomain(Map<String, Double> values, double otherwise) {
    return Domains.values(domains, values, otherwise);
  }

  private static void flatten(String key, @Nullable Object value, Map<String, String> into) {
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (name, inner) -> flatten(key.isEmpty() ? "" + name : key + "." + name, inner, into));
    } else if (value instanceof Collection<?> several) {
      into.put(key, several.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    } else {
      into.put(key, String.valueOf(value));
    }
  }
}
