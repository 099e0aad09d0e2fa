package io.sluice.lab.reproduce.claim;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What came of experiments: of each arm with each seed. Arms of one experiment that have a seed in
 * common are a pair: the same initial parameters and the same order within each domain. What is not
 * here is missing, and is never guessed.
 *
 * @param experiments by name: by arm, by seed
 */
public record Results(SortedMap<String, SortedMap<String, SortedMap<Long, Outcome>>> experiments) {
  /** What a name of an experiment, an arm or a measure may be, for messages. */
  public static final String NAME_FORM =
      "letters, digits and . _ / @ + - with a letter or digit first, at most 120 of them";

  /** Before the names of measures of which more is better; of others that a test gives, less is. */
  public static final String ACCURACY = "accuracy/";

  /** Before a measure's name: what it would be without learning. */
  public static final String UNLEARNED = "without-learning/";

  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._/@+-]{0,119}");
  private static final int MOST_OUTCOMES = 20_000;

  /**
   * Copies the maps.
   *
   * @throws IllegalArgumentException if a name is none, or there are more than 20,000 outcomes
   */
  public Results {
    SortedMap<String, SortedMap<String, SortedMap<Long, Outcome>>> copy = new TreeMap<>();
    int outcomes = 0;
    for (var experiment : experiments.entrySet()) {
      requireName("experiment", experiment.getKey());
      SortedMap<String, SortedMap<Long, Outcome>> arms = new TreeMap<>();
      for (var arm : experiment.getValue().entrySet()) {
        requireName("arm", arm.getKey());
        arms.put(arm.getKey(), Collections.unmodifiableSortedMap(new TreeMap<>(arm.getValue())));
        outcomes += arm.getValue().size();
      }
      copy.put(experiment.getKey(), Collections.unmodifiableSortedMap(arms));
    }
    if (outcomes > MOST_OUTCOMES) {
      throw new IllegalArgumentException(
          "outcomes must be at most " + MOST_OUTCOMES + ": " + outcomes);
    }
    experiments = Collections.unmodifiableSortedMap(copy);
  }

  /** Results of which nothing is known yet. */
  public static Builder builder() {
    return new Builder();
  }

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  static void requireName(String of, String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "name of " + of + " must be " + NAME_FORM + ": '" + name + "'");
    }
  }

  /** The arms of an experiment; none of one that was not run. */
  public SortedMap<String, SortedMap<Long, Outcome>> arms(String experiment) {
    return experiments.getOrDefault(experiment, Collections.emptySortedMap());
  }

  /** What came of an arm, by seed; nothing of one that was not run. */
  public SortedMap<Long, Outcome> seeds(String experiment, String arm) {
    return arms(experiment).getOrDefault(arm, Collections.emptySortedMap());
  }

  /** A measure of an arm by seed, of the seeds that have it. */
  public SortedMap<Long, Double> values(String experiment, String arm, String measure) {
    SortedMap<Long, Double> values = new TreeMap<>();
    seeds(experiment, arm)
        .forEach(
            (seed, outcome) -> find(outcome, measure).ifPresent(value -> values.put(seed, value)));
    return values;
  }

  /** All measures that any arm of an experiment has. */
  public SortedSet<String> measures(String experiment) {
    SortedSet<String> measures = new TreeSet<>();
    for (SortedMap<Long, Outcome> seeds : arms(experiment).values()) {
      for (Outcome outcome : seeds.values()) {
        if (outcome instanceof Outcome.Finished finished) {
          measures.addAll(finished.measures().keySet());
        }
      }
    }
    return measures;
  }

  static Optional<Double> find(Outcome outcome, String measure) {
    return outcome instanceof Outcome.Finished finished
        ? Optional.ofNullable(finished.measures().get(measure))
        : Optional.empty();
  }

  /** Results that are put together, an arm with a seed after the other, in any order. */
  public static final class Builder {
    private final SortedMap<String, SortedMap<String, SortedMap<Long, Outcome>>> experiments =
        new TreeMap<>();

    private Builder() {}

    /**
     * Adds what came of an arm with a seed.
     *
     * @throws IllegalArgumentException if that is known already
     */
    public Builder add(String experiment, String arm, long seed, Outcome outcome) {
      Map<Long, Outcome> seeds =
          experiments
              .computeIfAbsent(experiment, name -> new TreeMap<>())
              .computeIfAbsent(arm, name -> new TreeMap<>());
      if (seeds.putIfAbsent(seed, outcome) != null) {
        throw new IllegalArgumentException(
            "what came of " + experiment + ", " + arm + ", seed " + seed + " is known already");
      }
      return this;
    }

    /** The results so far. */
    public Results build() {
      return new Results(experiments);
    }
  }
}
