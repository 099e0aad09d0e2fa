package io.sluice.jobs.mix.rest;

import java.util.List;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;

/**
 * Splits that a reader keeps and does not read, as one: Flink has an output, clocks and metrics for
 * each split of a checkpoint, read or not.
 */
final class KeptSplits extends KafkaPartitionSplit {
  private static final String ID = "kept";

  private List<KafkaPartitionSplit> splits;

  /** Of one of the readers. */
  KeptSplits(int reader, List<KafkaPartitionSplit> splits) {
    super(new TopicPartition(ID, reader), 0);
    this.splits = List.copyOf(splits);
  }

  List<KafkaPartitionSplit> splits() {
    return splits;
  }

  /** Hands them over: Flink holds on to each split that it restores. */
  List<KafkaPartitionSplit> take() {
    List<KafkaPartitionSplit> taken = splits;
    splits = List.of();
    return taken;
  }
}
