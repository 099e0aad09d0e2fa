package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.corpus.Library;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Whether the order of a course of weights matters (section 4.2 of Velocitune's paper compares it
 * with other orders): the weights of each round of Velocitune's run, in their order, reversed, and
 * shuffled.
 */
public final class OrderingExperiment implements Experiment {
  private static final String VELOCITUNE = "velocitune";

  private final VelocituneExperiment original = new VelocituneExperiment();

  @Override
  public String name() {
    return "ordering";
  }

  @Override
  public List<String> departures() {
    List<String> departures = new ArrayList<>(original.departures());
    departures.add("The order of each seed's own rounds is reversed, or shuffled by its seed.");
    return departures;
  }

  @Override
  public Scale scale() {
    return original.scale();
  }

  @Override
  public List<Trial> trials(long seed, Library library, Scale scale) {
    return original.trials(seed, library, scale).stream()
        .map(trial -> new Trial(trial.name(), seed, trial.training(), trial.test(), arms(trial)))
        .toList();
  }

  private static List<Arm> arms(Trial trial) {
    List<String> kept = List.of("base", "proportional", VELOCITUNE);
    List<Arm> arms = new ArrayList<>();
    for (Arm arm : trial.arms()) {
      if (kept.contains(arm.name())) {
        arms.add(arm);
      }
      if (arm.name().equals(VELOCITUNE)) {
        arms.add(other(arm, "velocitune-reversed", Collections::reverse));
        Random random = new Random(trial.seed());
        arms.add(other(arm, "velocitune-shuffled", all -> Collections.shuffle(all, random)));
      }
    }
    return arms;
  }

  /** Changes the order of weights, in place. */
  private interface Order {
    void change(List<Map<String, Double>> weights);
  }

  private static Arm other(Arm velocitune, String name, Order order) {
    return new Arm(
        name,
        velocitune.steps(),
        velocitune.base(),
        List.of(VELOCITUNE),
        ended -> recorded(ended.of(VELOCITUNE), order),
        true);
  }

  /** A run with the same weights, each for as long as before, in another order. */
  private static Mixture recorded(ArmOutcome velocitune, Order order) {
    List<Long> starts = new ArrayList<>(velocitune.weights().keySet());
    List<Map<String, Double>> weights = new ArrayList<>(velocitune.weights().values());
    order.change(weights);
    Map<String, String> course = new LinkedHashMap<>();
    for (int i = 1; i < starts.size(); i++) {
      course.put(Long.toString(starts.get(i) - 1), text(weights.get(i)));
    }
    return course.isEmpty()
        ? Mixture.fixed(weights.get(0))
        : Mixture.moved(
            weights.get(0), "recorded", Map.of("every", starts.get(1) - 1, "at", course));
  }

  private static String text(Map<String, Double> weights) {
    return new TreeMap<>(weights)
        .entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining(" "));
  }

  @Override
  public Map<String, Double> measures(Judged judged) {
    return original.measures(judged);
  }

  @Override
  public Map<String, Double> tested(Judged judged) {
    return original.tested(judged);
  }
}
