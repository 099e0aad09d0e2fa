package io.sluice.lab.reproduce.arm;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The run files of a trial's arms.
 *
 * @param dataset that its arms mix
 * @param names of its domains in the service
 */
record ArmRunFile(Trial trial, String dataset, DomainNames names, Scale scale) {
  private static final int PASSES = 1_000_000;

  /**
   * What the file of an arm says.
   *
   * @param run its name
   */
  Map<String, Object> content(String run, Arm arm, Mixture mixture) {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("run", run);
    file.put("dataset", dataset);
    file.put("batch", scale.batch() + " sequences");
    file.put("batches", arm.steps());
    file.put("seed", trial.seed());
    file.put("initial-weights", names.outer(mixture.initial()));
    file.put("policy", policy(mixture));
    file.put("when-ended", Map.of("default", Map.of("repeat", PASSES)));
    file.put("eval-tokens", scale.evalTokens());
    file.put("probe-tokens", scale.probeTokens());
    return file;
  }

  private Object policy(Mixture mixture) {
    return mixture.policy().get("static") == null ? names.outer(mixture.policy()) : "static";
  }
}
