package io.sluice.jobs.topics;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * The brokers that lead new partitions. A topic is known before its leaders take records, and a
 * producer with several requests on their way must not meet them then: when the first request is
 * refused and the second taken, the first one, sent again, is out of order until its delivery times
 * out, for a broker takes whatever sequence number comes first from a producer it does not know.
 */
public final class TopicLeaders {
  private TopicLeaders() {}

  /**
   * Completes when the leader of each partition of these topics takes requests.
   *
   * @param partitions how many each topic has, by its name
   */
  public static KafkaFuture<?> ready(Admin admin, Map<String, Integer> partitions) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(
        (topic, count) -> {
          for (int partition = 0; partition < count; partition++) {
            asked.put(new TopicPartition(topic, partition), OffsetSpec.latest());
          }
        });
    return admin.listOffsets(asked).all();
  }
}
