package io.sluice.control.topics;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The brokers that lead new partitions. A topic is known before its leaders take records, and a
 * producer with several requests on their way must not meet them then: when the first request is
 * refused and the second taken, the first one, sent again, is out of order until its delivery times
 * out, for a broker takes whatever sequence number comes first from a producer it does not know.
 */
public final class TopicLeaders {
  private static final long POLL_MILLIS = 50;

  private TopicLeaders() {}

  /**
   * Waits until the leader of each partition of these topics takes requests.
   *
   * @param wait how long a topic that was just made may stay unknown to a broker
   * @return the topics' descriptions, by name
   * @throws ExecutionException if the brokers refuse; its cause says why
   */
  public static Map<String, TopicDescription> await(
      Admin admin, Collection<String> topics, Duration wait)
      throws ExecutionException, InterruptedException {
    Map<String, TopicDescription> described =
        onceKnown(() -> admin.describeTopics(topics).allTopicNames(), wait);
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    described.forEach(
        (topic, description) ->
            description
                .partitions()
                .forEach(
                    partition ->
                        asked.put(
                            new TopicPartition(topic, partition.partition()),
                            OffsetSpec.latest())));
    onceKnown(() -> admin.listOffsets(asked).all(), wait);
    return described;
  }

  /** The first answer that is not of a broker which has yet to hear of the topic. */
  static <T> T onceKnown(Supplier<KafkaFuture<T>> ask, Duration wait)
      throws ExecutionException, InterruptedException {
    long start = System.nanoTime();
    while (true) {
      try {
        return ask.get().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
            || System.nanoTime() - start > wait.toNanos()) {
          throw e;
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }
}
