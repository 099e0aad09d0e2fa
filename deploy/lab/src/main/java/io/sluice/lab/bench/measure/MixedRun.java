package io.sluice.lab.bench.measure;

import io.sluice.control.runs.NewRun;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.wire.RunSpecs;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import java.util.Map;

/**
 * Asks for runs of a benchmark.
 *
 * @param partitions of the stream
 * @param batchSize sequences in each batch
 * @param batches the run is complete after so many
 * @param policy by name
 * @param updateEvery steps between two rounds; 0 for a policy without
 */
public record MixedRun(
    DatasetSpec dataset,
    int partitions,
    int batchSize,
    long batches,
    String policy,
    Map<String, String> policySettings,
    long updateEvery) {
  /** A run whose mixture stays as it is, granted to its end: no trainer takes part. */
  public static MixedRun fixed(DatasetSpec dataset, MixPoint point) {
    return new MixedRun(
        dataset, point.partitions(), point.batchSize(), point.batches(), "static", Map.of(), 0);
  }

  /** Creates its topics and asks for it. */
  public void request(KafkaAccess kafka, String name) {
    request(kafka, spec(name));
  }

  /** Asks for a run that is as {@link #spec} says but for what was changed. */
  public static void request(KafkaAccess kafka, RunSpec spec) {
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      RunAdmin.commands(kafka).apply(admin, spec, null);
    }
  }

  /** What it is to be. */
  public RunSpec spec(String name) {
    return RunSpecs.complete(
        NewRun.of(name, dataset, batchSize)
            .setBatches(batches)
            .setSeed(42)
            .setStreamPartitions(partitions)
            .setPolicy(policy)
            .setPolicySettings(policySettings)
            .setUpdateEvery(updateEvery)
            .setLead(updateEvery == 0 ? batches : 0)
            .build());
  }
}
