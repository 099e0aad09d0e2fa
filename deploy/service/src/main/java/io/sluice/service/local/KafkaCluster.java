package io.sluice.service.local;

import io.sluice.control.error.Answers;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.service.supervise.LongWait;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;

/** The identity of a Kafka cluster, which stays when its address changes. */
public final class KafkaCluster {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private KafkaCluster() {}

  /**
   * Makes the topics that every deployment has.
   *
   * @param isAlive whether the cluster is one that was started here and runs: then it is asked
   *     until it answers
   * @param wait told that it does not yet
   * @return the cluster's id
   * @throws KafkaUnreachableException if it does not answer, and is not asked again
   */
  public static String open(KafkaAccess access, BooleanSupplier isAlive, LongWait wait) {
    while (true) {
      try (TopicAdmin admin = new TopicAdmin(access)) {
        admin.ensureService();
        return id(access);
      } catch (KafkaUnreachableException | UnreachableException e) {
        if (!isAlive.getAsBoolean() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        wait.goOn(() -> "Kafka makes topics; " + e.getMessage());
      }
    }
  }

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
