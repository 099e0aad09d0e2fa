package io.sluice.jobs.mix.fetch;

import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.Consumer;

/** The source's consumers: no group, explicit partitions and seeks, committed records only. */
public interface Consumers {
  /** A consumer of the control log. */
  Consumer<byte[], byte[]> control(String clientId);

  /**
   * A consumer of block topics, which pauses a partition when it hands over records of it.
   *
   * @param lane the partition of each topic that may be assigned
   * @param domains of the split; they share what it keeps at most
   * @param readers consumers that the split has; they share what may wait in them
   * @param budget bytes of blocks that a split keeps ready
   */
  Consumer<byte[], ByteBuffer> blocks(
      String clientId, int lane, int domains, int readers, long budget);
}
