package io.sluice.service.local;

import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/** The identity of a Kafka cluster, which stays when its address changes. */
public final class KafkaCluster {
  private static final int PATIENCE_SECONDS = 15;

  private KafkaCluster() {}

  /**
   * The cluster's id.
   *
   * @throws UnreachableException if it does not say
   */
  public static String id(KafkaAccess access) {
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      return admin.describeCluster().clusterId().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new UnreachableException(
          "Kafka at " + access.bootstrapServers() + " does not say which cluster it is: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while asking Kafka", e);
    }
  }
}
