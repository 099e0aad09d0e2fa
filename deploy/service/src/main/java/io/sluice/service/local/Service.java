package io.sluice.service.local;

import io.sluice.schema.KafkaAccess;
import java.net.URI;

/** A running Sluice: a broker, MixJob, and a PrepareJob for every dataset. */
public interface Service extends AutoCloseable {
  /** How to reach the service's Kafka. */
  KafkaAccess access();

  /** Address of Flink's page, which shows the jobs, and of its REST interface. */
  URI flinkRest();

  /**
   * Checks that everything still runs.
   *
   * @throws io.sluice.control.error.UnreachableException naming what has ended
   */
  void requireRunning();

  @Override
  void close();
}
