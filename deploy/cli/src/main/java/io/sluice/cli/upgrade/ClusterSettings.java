package io.sluice.cli.upgrade;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a cluster's own configuration says, to which a job's options are added. */
record ClusterSettings(Map<String, String> options) {
  /** Where checkpoints go, as Flink calls it. */
  static final String CHECKPOINTS = "execution.checkpointing.dir";

  /** By its names of before, too. */
  private static final List<String> CHECKPOINTS_KEYS =
      List.of(CHECKPOINTS, "state.checkpoints.dir", "state.backend.fs.checkpointdir");

  private static final List<String> SAVEPOINTS_KEYS =
      List.of("execution.checkpointing.savepoint-dir", "state.savepoints.dir");

  ClusterSettings {
    options = Map.copyOf(options);
  }

  /** Where it puts savepoints. */
  Optional<String> savepoints() {
    return first(options, SAVEPOINTS_KEYS);
  }

  /** Whether it, or an option of the job, says where checkpoints go. */
  boolean placesCheckpoints(Map<String, String> ofJob) {
    return first(ofJob, CHECKPOINTS_KEYS).or(() -> first(options, CHECKPOINTS_KEYS)).isPresent();
  }

  /**
   * Whether the slots that are there are all that a job can have. They are not where Flink starts
   * task managers as jobs want them, and do not matter where a job runs in what there is.
   */
  boolean hasFixedSlots() {
    String target = word("execution.target");
    return !target.startsWith("kubernetes-")
        && !target.startsWith("yarn-")
        && !word("jobmanager.scheduler").startsWith("adaptive")
        && !word("scheduler-mode").equals("reactive");
  }

  private String word(String key) {
    return options.getOrDefault(key, "").strip().toLowerCase(Locale.ROOT);
  }

  private static Optional<String> first(Map<String, String> options, List<String> keys) {
    return keys.stream()
        .filter(options::containsKey)
        .map(options::get)
        .filter(value -> !value.isBlank())
        .findFirst();
  }
}
