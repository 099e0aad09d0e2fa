package io.sluice.jobs.mix.fetch;

import io.sluice.control.topics.BlockBatches;
import io.sluice.schema.KafkaAccess;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.network.Selectable;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The source's Kafka consumers: no group, explicit partitions and seeks, committed records only.
 */
public record KafkaConsumers(KafkaAccess access) implements Consumers {
  /** A resumed partition waits this long at most for its next fetch. */
  static final int FETCH_WAIT_MILLIS = 20;

  /** A record ends the wait; only a run that begins to be followed may wait for its end. */
  private static final int CONTROL_WAIT_MILLIS = 100;

  /** What is read is there; a fetch that waits beyond it holds up the next one. */
  private static final int ENDS_WAIT_MILLIS = 2;

  /** A fetch of a partition costs about as much as five blocks; less is not worth one. */
  private static final long LEAST_PARTITION_FETCH = 48 << 10;

  /** Of logs of which a beginning is wanted; a record that is larger comes alone. */
  private static final int HEAD_FETCH = 128 << 10;

  /** Of a part that is read to its end: a fetch that brings little costs as much. */
  private static final int PART_FETCH = 8 << 20;

  private static final int MANY_RECORDS = 10_000;

  private static final long MOST_PARTITION_FETCH = 512 << 10;
  private static final long MOST_FETCH = 50 << 20;

  @Override
  public Consumer<byte[], byte[]> control(String clientId) {
    return new KafkaConsumer<>(access.with(settings(clientId, CONTROL_WAIT_MILLIS)));
  }

  /** A consumer of parts of logs and streams whose ends are known. */
  public Consumer<byte[], byte[]> parts(String clientId) {
    Map<String, Object> own = settings(clientId, ENDS_WAIT_MILLIS);
    own.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, PART_FETCH);
    own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MANY_RECORDS);
    return new KafkaConsumer<>(access.with(own));
  }

  /** A consumer of the first records of many logs. */
  public Consumer<byte[], byte[]> heads(String clientId) {
    Map<String, Object> own = settings(clientId, CONTROL_WAIT_MILLIS);
    own.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, HEAD_FETCH);
    own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MANY_RECORDS);
    return new KafkaConsumer<>(access.with(own));
  }

  @Override
  public Consumer<byte[], ByteBuffer> blocks(
      String clientId, int lane, int domains, int readers, long budget) {
    long share = budget / domains;
    long soon = Math.max(LEAST_PARTITION_FETCH, DomainQueue.SOON * share);
    long tokens = Math.min(MOST_PARTITION_FETCH, Math.min(FetchPlan.EXCESS * share, soon));
    int partition = BlockBatches.fetchBytes(domains, tokens);
    // Fetched bytes wait in the consumer, outside of the budget.
    long all = Math.max(partition, Math.min(MOST_FETCH, budget / 2 / readers));
    Map<String, Object> own = settings(clientId, FETCH_WAIT_MILLIS);
    own.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, partition);
    own.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, (int) all);
    // Whole fetches: a partition is paused when the first of its records is handed over.
    own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.MAX_VALUE);
    return new SingleFetchConsumer(access.with(own), lane);
  }

  private static Map<String, Object> settings(String clientId, int fetchWaitMillis) {
    Map<String, Object> own = new HashMap<>();
    own.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    own.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    own.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    own.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    own.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, Selectable.USE_DEFAULT_BUFFER_SIZE);
    own.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, fetchWaitMillis);
    // A consumer counts some dozen things for each partition, and each reporter keeps them all.
    own.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, List.of());
    own.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return own;
  }
}
