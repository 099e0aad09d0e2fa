package io.sluice.jobs.write;

import io.sluice.control.topics.BlockBatches;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.TransactionNamingStrategy;
import org.apache.kafka.common.network.Selectable;

/** The sinks of jobs that write records where these say. */
public final class OutputSinks {
  /** What is on its way waits so long for company; a checkpoint sends it at once. */
  public static final Duration LINGER = Duration.ofMillis(50);

  private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

  /** So long does a producer know a topic that it does not write to. */
  private static final Duration TOPICS_KNOWN = Duration.ofDays(1);

  private OutputSinks() {}

  /**
   * A sink that is exactly once: what it writes can be read once a checkpoint completes.
   *
   * @param job part of the transactions' ids, which is the start of no other job's
   * @param topics that may be written to
   * @param domains whose topics are among them
   * @param largest record in bytes
   */
  public static Sink<OutputRecord> exactlyOnce(
      KafkaAccess kafka, String job, List<String> topics, int domains, int largest) {
    KafkaSink<OutputRecord> sink =
        KafkaSink.<OutputRecord>builder()
            .setKafkaProducerConfig(
                kafka.with(
                    Map.of(
                        "transaction.timeout.ms", Long.toString(TRANSACTION_TIMEOUT.toMillis()),
                        "max.request.size", Integer.toString(largest),
                        "batch.size", Integer.toString(BlockBatches.bytes(domains)),
                        "send.buffer.bytes", Selectable.USE_DEFAULT_BUFFER_SIZE,
                        "linger.ms", Long.toString(LINGER.toMillis()),
                        "metadata.max.idle.ms", Long.toString(TOPICS_KNOWN.toMillis()))))
            .setRecordSerializer(new OutputSerializer(topics))
            .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
            .setTransactionNamingStrategy(TransactionNamingStrategy.POOLING)
            .setTransactionalIdPrefix(kafka.topics().prefix() + job + ".")
            .build();
    return new InformedSink<>(sink, kafka, topics);
  }

  /** A sink of dead letters, each of which may be written more than once. */
  public static Sink<OutputRecord> deadLetters(KafkaAccess kafka) {
    return KafkaSink.<OutputRecord>builder()
        .setKafkaProducerConfig(kafka.with(Map.of()))
        .setRecordSerializer(new OutputSerializer(List.of(kafka.topics().deadLetters())))
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .build();
  }
}
