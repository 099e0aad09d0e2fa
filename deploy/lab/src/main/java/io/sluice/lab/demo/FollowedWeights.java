package io.sluice.lab.demo;

import io.sluice.control.history.MixtureVersions;
import io.sluice.control.history.RunFollower;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The weights of a run's mixture versions, as its control log comes to have them. */
final class FollowedWeights implements AutoCloseable {
  private final Map<Integer, Weights> weights = new HashMap<>();
  private final MixtureVersions versions = new MixtureVersions();
  private final RunFollower log;

  FollowedWeights(KafkaAccess kafka, String runId) {
    RunLogs logs = RunLogs.of(kafka);
    RunStart start = logs.byId(runId).orElseThrow();
    log = new RunFollower(kafka, logs.fold(start, this::take));
  }

  private void take(ControlEntry entry) {
    versions.next(entry).ifPresent(found -> weights.put(found.version(), found.weights()));
  }

  /** Those of a version that governs a granted batch. */
  Weights of(int version) {
    if (!weights.containsKey(version)) {
      log.catchUp(this::take);
    }
    return Objects.requireNonNull(weights.get(version));
  }

  @Override
  public void close() {
    log.close();
  }
}
