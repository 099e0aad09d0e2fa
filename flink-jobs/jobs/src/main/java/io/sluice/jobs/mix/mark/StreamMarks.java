package io.sluice.jobs.mix.mark;

import io.sluice.schema.WholeStream;
import java.util.Collection;
import java.util.Map;

/** What is kept of streams that are whole. */
public interface StreamMarks {
  /** The newest of each run, by its id; none where the topic is missing. */
  Map<String, WholeStream> read();

  /**
   * Keeps marks, and takes back those of other runs; returns once that is written.
   *
   * @throws org.apache.kafka.common.KafkaException if it cannot be written
   */
  void write(Collection<WholeStream> marks, Collection<String> revoked);
}
