package io.sluice.lab.reproduce.arm;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All arms of an experiment in one setting for one seed: they share data, initial parameters, and
 * the order within each domain.
 *
 * @param name of the setting; empty where there is one alone
 * @param part which of a setting's trials it is, where arms of one are over other domains; else
 *     empty
 * @param seed of the split, the orders and the initial parameters
 * @param training what the arms' runs mix
 * @param test read when an arm has ended
 * @param questions asked when an arm has ended, by name of a kind; see {@link TestedModel}
 * @param arms each behind those that it needs
 */
public record Trial(
    String name,
    String part,
    long seed,
    Texts training,
    Texts test,
    Map<String, List<Question>> questions,
    List<Arm> arms) {
  /** Copies the list and the map. */
  public Trial {
    questions = Collections.unmodifiableMap(new TreeMap<>(questions));
    arms = List.copyOf(arms);
  }

  /** The only trial of its setting, without questions. */
  public Trial(String name, long seed, Texts training, Texts test, List<Arm> arms) {
    this(name, "", seed, training, test, Map.of(), arms);
  }

  /** The same as one of several of its setting. */
  public Trial part(String part) {
    return new Trial(name, part, seed, training, test, questions, arms);
  }

  /** The same with questions of a kind. */
  public Trial asking(String kind, List<Question> asked) {
    return new Trial(name, part, seed, training, test, Map.of(kind, asked), arms);
  }

  /** The arm of a name. */
  public Arm arm(String name) {
    return arms.stream().filter(arm -> arm.name().equals(name)).findFirst().orElseThrow();
  }

  /** The name of an arm among those of the experiment. */
  public String named(Arm arm) {
    return name.isEmpty() ? arm.name() : arm.name() + "@" + name;
  }

  /** Names it among those of its experiment. */
  public String id() {
    String of = part.isEmpty() ? name : name + "-" + part;
    return of.isEmpty() ? Long.toString(seed) : of + "-" + seed;
  }
}
