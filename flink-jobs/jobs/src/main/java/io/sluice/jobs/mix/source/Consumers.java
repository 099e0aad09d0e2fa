package io.sluice.jobs.mix.source;

import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.Consumer;

/** The source's consumers: no group, explicit partitions and seeks, committed records only. */
interface Consumers {
  /** A consumer of the control log. */
  Consumer<byte[], byte[]> control(String clientId);

  /**
   * A consumer of block topics.
   *
   * @param domains partitions that may be read at a time; they share half of the budget
   * @param budget bytes of blocks that a split keeps ready
   */
  Consumer<byte[], ByteBuffer> blocks(String clientId, int domains, long budget);
}
