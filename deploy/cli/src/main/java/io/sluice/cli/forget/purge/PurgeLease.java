package io.sluice.cli.forget.purge;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * That one process purges at a time: the member of a consumer group to which the table's partition
 * is assigned. One that dies loses it after a session's time.
 */
final class PurgeLease implements AutoCloseable {
  private static final Duration SESSION = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(25);
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> member;

  private PurgeLease(KafkaConsumer<byte[], byte[]> member) {
    this.member = member;
  }

  /**
   * Takes it.
   *
   * @throws BadInputException if another process has it
   */
  static PurgeLease take(KafkaAccess access) {
    Map<String, Object> own =
        Map.of(
            "group.id",
            access.topics().datasetsPrefix() + "purge",
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "latest",
            "session.timeout.ms",
            Math.toIntExact(SESSION.toMillis()),
            "max.poll.interval.ms",
            Integer.MAX_VALUE);
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    PurgeLease lease = new PurgeLease(new KafkaConsumer<>(access.with(own), bytes, bytes));
    try {
      lease.await(access.topics().purges());
      return lease;
    } catch (RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  private void await(String topic) {
    member.subscribe(List.of(topic));
    long since = System.nanoTime();
    while (member.assignment().isEmpty()) {
      member.poll(POLL);
      if (System.nanoTime() - since > PATIENCE.toNanos()) {
        throw new BadInputException("another process purges documents now: wait for its end");
      }
    }
  }

  /**
   * Checks that this process still has it.
   *
   * @throws UnreachableException if it was taken for dead
   */
  void require() {
    try {
      for (TopicPartition place : member.assignment()) {
        member.commitSync(Map.of(place, new OffsetAndMetadata(0)));
      }
    } catch (KafkaException e) {
      throw new UnreachableException(
          "the brokers took this process for dead, and another one may purge: " + e.getMessage(),
          e);
    }
  }

  @Override
  public void close() {
    member.close();
  }
}
