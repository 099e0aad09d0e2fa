package io.sluice.lab.reproduce.arm;

import java.util.LinkedHashMap;
import java.util.Map;

/** The run files of a trial's arms. */
record ArmRunFile(String experiment, Trial trial, Scale scale) {
  private static final int PASSES = 1_000_000;

  /** The dataset that its arms mix. */
  String dataset() {
    return experiment + "-" + trial.id();
  }

  /** Its domains in the service. */
  DomainNames names() {
    return new DomainNames(prefix(), trial.training().domains().keySet());
  }

  /** The domains of its test. */
  DomainNames testNames() {
    return new DomainNames("test-" + prefix(), trial.test().domains().keySet());
  }

  private String prefix() {
    return trial.name() + trial.part() + trial.seed() + "-";
  }

  /** The run of an arm. */
  String run(Arm arm) {
    return dataset() + "-" + arm.name();
  }

  /** What the file of an arm says. */
  Map<String, Object> content(Arm arm, Mixture mixture) {
    DomainNames names = names();
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("run", run(arm));
    file.put("dataset", dataset());
    file.put("batch", scale.batch() + " sequences");
    file.put("batches", arm.steps());
    file.put("seed", trial.seed());
    file.put("initial-weights", names.outer(mixture.initial()));
    file.put(
        "policy",
        mixture.policy().get("static") == null ? names.outer(mixture.policy()) : "static");
    file.put("when-ended", Map.of("default", Map.of("repeat", PASSES)));
    file.put("eval-tokens", scale.evalTokens());
    file.put("probe-tokens", scale.probeTokens());
    return file;
  }
}
