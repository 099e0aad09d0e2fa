package io.sluice.jobs.mix.source;

import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The source's Kafka consumers: no group, explicit partitions and seeks, committed records only.
 */
final class KafkaConsumers implements Consumers {
  /** A resumed partition waits this long at most for its next fetch. */
  static final int FETCH_WAIT_MILLIS = 20;

  private static final long LEAST_PARTITION_FETCH = 64 << 10;
  private static final long MOST_PARTITION_FETCH = 1 << 20;

  /** Records of one poll: what may be read past the last needed block of a partition. */
  private static final int POLL_RECORDS = 32;

  private final KafkaAccess access;

  KafkaConsumers(KafkaAccess access) {
    this.access = access;
  }

  @Override
  public Consumer<byte[], byte[]> control(String clientId) {
    return new KafkaConsumer<>(access.with(settings(clientId)));
  }

  @Override
  public Consumer<byte[], byte[]> blocks(String clientId, int domains, long budget) {
    long fetch =
        Math.max(LEAST_PARTITION_FETCH, Math.min(MOST_PARTITION_FETCH, budget / 2 / domains));
    Map<String, Object> own = settings(clientId);
    own.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, (int) fetch);
    own.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, (int) Math.min(50L << 20, budget));
    own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
    return new KafkaConsumer<>(access.with(own));
  }

  private static Map<String, Object> settings(String clientId) {
    Map<String, Object> own = new HashMap<>();
    own.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    own.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    own.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    own.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    own.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
    return own;
  }
}
