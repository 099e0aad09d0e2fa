package io.sluice.cli.doctor;

import io.sluice.control.topics.TransactionVersion;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.FinalizedVersionRange;

/** Whether the brokers keep a transaction whole when its producer is replaced. */
record FeatureCheck(Brokers brokers) implements Check {
  @Override
  public String name() {
    return TransactionVersion.FEATURE;
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    FinalizedVersionRange range =
        brokers
            .admin()
            .describeFeatures()
            .featureMetadata()
            .get()
            .finalizedFeatures()
            .get(TransactionVersion.FEATURE);
    return List.of(of(range == null ? 0 : range.maxVersionLevel()));
  }

  /** What is said of a version. */
  Finding of(int version) {
    return TransactionVersion.objection(version)
        .map(objection -> Finding.failure(name(), objection, "no dataset can be applied before"))
        .orElseGet(() -> Finding.ok(name(), Integer.toString(version)));
  }
}
