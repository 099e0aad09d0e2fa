package io.sluice.jobs.topics;

import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
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

  /** Completes when the leader of each partition of these topics takes requests. */
  public static KafkaFuture<?> ready(Admin admin, Collection<NewTopic> topics) {
    Map<TopicPartition, OffsetSpec> asked =
        topics.stream()
            .flatMap(TopicLeaders::partitions)
            .collect(Collectors.toMap(Function.identity(), p -> OffsetSpec.latest()));
    return admin.listOffsets(asked).all();
  }

  private static Stream<TopicPartition> partitions(NewTopic topic) {
    return IntStream.range(0, topic.numPartitions())
        .mapToObj(p -> new TopicPartition(topic.name(), p));
  }
}
