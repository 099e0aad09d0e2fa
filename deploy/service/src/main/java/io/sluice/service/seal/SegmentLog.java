package io.sluice.service.seal;

import io.sluice.schema.Segment;
import io.sluice.schema.segment.SealedLanes;
import java.util.List;

/** The records of a dataset's segments, as their only writer has them. */
interface SegmentLog extends AutoCloseable {
  /** What the records say now. */
  SealedLanes sealed();

  /**
   * Writes records, all or none.
   *
   * @throws org.apache.kafka.common.errors.ProducerFencedException if another has become their
   *     writer
   * @throws org.apache.kafka.common.KafkaException if it is not known that they are written
   */
  void write(List<Segment> segments);

  @Override
  void close();
}
