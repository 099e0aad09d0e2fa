package io.sluice.lab.reproduce.arm;

import java.util.List;

/**
 * All arms of an experiment in one setting for one seed: they share data, initial parameters, and
 * the order within each domain.
 *
 * @param name of the setting; empty where there is one alone
 * @param seed of the split, the orders and the initial parameters
 * @param training what the arms' runs mix
 * @param test read when an arm has ended
 * @param arms each behind those that it needs
 */
public record Trial(String name, long seed, Texts training, Texts test, List<Arm> arms) {
  /** Copies the list. */
  public Trial {
    arms = List.copyOf(arms);
  }

  /** The name of an arm among those of the experiment. */
  public String named(Arm arm) {
    return name.isEmpty() ? arm.name() : arm.name() + "@" + name;
  }

  /** Names it among those of its experiment. */
  public String id() {
    return name.isEmpty() ? Long.toString(seed) : name + "-" + seed;
  }
}
