package io.sluice.jobs.control;

import io.sluice.mixture.control.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.smoothing.Guards;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Run specifications as the settings that decisions depend on. */
public final class RunSpecs {
  private static final int MAX_PARTITIONS = 1024;

  private RunSpecs() {}

  /**
   * The settings of a specification, all ranges checked.
   *
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  public static RunSettings settings(RunSpec spec) {
    Topics.requireName("run", spec.getRun());
    Topics.requireName("dataset", spec.getDataset());
    spec.getDomains().forEach(domain -> Topics.requireName("domain", domain));
    requireRange("lanes", spec.getLanes(), 1, 1);
    requireRange("stream-partitions", spec.getStreamPartitions(), 1, MAX_PARTITIONS);
    requireOneOf("apply.on-timeout", spec.getOnTimeout(), "hold", "keep-weights");
    requireOneOf("when-behind", spec.getWhenBehind(), "wait");
    NavigableMap<Long, Integer> batchSizes = new TreeMap<>();
    for (BatchSize size : spec.getBatchSizes()) {
      batchSizes.put(size.getFromBatch(), size.getSequences());
    }
    return new RunSettings(
        spec.getDomains(),
        batchSizes,
        spec.getBatches(),
        spec.getSeed(),
        Weights.of(spec.getInitialWeights().stream().mapToLong(Long::longValue).toArray()),
        spec.getPolicy(),
        spec.getPolicySettings(),
        spec.getUpdateEvery(),
        spec.getLag(),
        spec.getOnTimeout().equals("keep-weights"),
        spec.getTimeoutMillis(),
        spec.getLead(),
        Guards.of(spec.getSmoothing(), spec.getDomains()),
        spec.getEpochs());
  }

  private static void requireRange(String key, long value, long low, long high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(key + " must be in [" + low + ", " + high + "]: " + value);
    }
  }

  private static void requireOneOf(String key, String value, String... allowed) {
    for (String name : allowed) {
      if (name.equals(value)) {
        return;
      }
    }
    throw new IllegalArgumentException(
        key + " must be one of " + String.join(", ", allowed) + ": '" + value + "'");
  }
}
