package io.sluice.cli.sweep;

import io.sluice.control.config.ConfigSection;
import java.util.List;
import java.util.Map;

/**
 * Runs that differ in what a file varies.
 *
 * @param run what their files have in common
 * @param arms of which the first is compared with all
 * @param seeds runs of each arm, from seed 1 on
 * @param warm batches that the arms of a seed share; 0 for none
 * @param aims what a domain's held-out loss counts; empty for all alike
 */
record Sweep(
    String name,
    ConfigSection run,
    List<SweepArm> arms,
    int seeds,
    long warm,
    Map<String, Double> aims,
    MixtureArms mixtures,
    ArmTrainer trainer) {
  /** Copies the list. */
  Sweep {
    arms = List.copyOf(arms);
  }

  /** Name of the run of an arm. */
  String run(String arm, int seed) {
    return name + "-" + arm + "-" + seed;
  }
}
