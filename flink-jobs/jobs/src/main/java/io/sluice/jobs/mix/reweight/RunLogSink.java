package io.sluice.jobs.mix.reweight;

import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes entries to the control logs of their runs. An entry that a log does not take is left out,
 * with a word in the job's log: whoever proposed it does so again, and only its run waits.
 */
record RunLogSink(KafkaAccess kafka) implements Sink<KeyedRecord> {
  /** How long a topic may stay unknown that was there, before the next entry is written. */
  private static final int MOST_BLOCKED_MILLIS = 500;

  /** From one look for a log to the next: one that is made late is written to within this time. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** What brokers may take to say which logs they have. */
  private static final int ANSWER_MILLIS = 10_000;

  @Override
  public SinkWriter<KeyedRecord> createWriter(WriterInitContext context) {
    String clientId = "sluice-mix-run-logs-" + context.getTaskInfo().getIndexOfThisSubtask();
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(
                Map.of(
                    ProducerConfig.CLIENT_ID_CONFIG,
                    clientId,
                    ProducerConfig.LINGER_MS_CONFIG,
                    0,
                    ProducerConfig.ACKS_CONFIG,
                    "all",
                    ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                    true,
                    ProducerConfig.MAX_BLOCK_MS_CONFIG,
                    MOST_BLOCKED_MILLIS)),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    Admin admin =
        Admin.create(
            kafka.with(
                Map.of(
                    AdminClientConfig.CLIENT_ID_CONFIG,
                    clientId,
                    AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                    ANSWER_MILLIS,
                    AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                    ANSWER_MILLIS)));
    return new RunLogWriter(kafka.topics(), producer, new KafkaLogTopics(admin), PAUSE);
  }
}
