package io.sluice.lab.bench.mix;

import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** One way to bring blocks from the block topics to another topic. */
interface Copy {
  /** What people call it. */
  String name();

  /** How often it writes each block. */
  default int times() {
    return 1;
  }

  /**
   * Starts once.
   *
   * @param number of this start, from 0; no two are the same
   */
  Running start(int number);

  /**
   * A copy under way; closing it ends it.
   *
   * @param written the partitions that grow
   * @param end ends it and deletes them
   */
  record Running(List<TopicPartition> written, Runnable end) implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }
}
