package io.sluice.service.local;

import io.sluice.control.error.Answers;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** The identity of a Kafka cluster, which stays when its address changes. */
public final class KafkaCluster {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private KafkaCluster() {}

  /**
   * The cluster's id.
   *
   * @throws io.sluice.control.error.UnreachableException if it does not say
   */
  public static String id(KafkaAccess access) {
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      return Answers.await(
          admin.describeCluster().clusterId(),
          PATIENCE,
          "asking Kafka at " + access.bootstrapServers() + " which cluster it is");
    }
  }
}
