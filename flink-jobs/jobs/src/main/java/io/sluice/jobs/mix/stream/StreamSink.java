package io.sluice.jobs.mix.stream;

import io.sluice.schema.KafkaAccess;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.network.Selectable;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes the streams of all runs at least once, in order, and flushes before every checkpoint. A
 * run whose topic is gone fails alone, and the sink asks for that failure to be logged. A run whose
 * topic takes nothing for a while is parked: checkpoints have it where all was delivered, and the
 * source emits the same bytes again, while other runs go on.
 */
public record StreamSink(KafkaAccess access, StreamSinkSettings settings)
    implements Sink<StreamEvent> {
  private static final int MOST_BLOCK_MILLIS = 500;

  @Override
  public SinkWriter<StreamEvent> createWriter(WriterInitContext context) {
    int subtask = context.getTaskInfo().getIndexOfThisSubtask();
    String name = "sluice-stream-" + subtask;
    return new StreamWriter(
            new KafkaProducer<>(
                access.with(
                    producerSettings(name, context.getTaskInfo().getNumberOfParallelSubtasks()))),
            new KafkaStreamTopics(access),
            new FailureCommands(access.topics(), InstantSource.system()),
            settings.topicCheck(),
            settings.deliveryTimeout(),
            settings.flushPatience(),
            context.metricGroup())
        .watching(name + "-topics");
  }

  private Map<String, Object> producerSettings(String clientId, int tasks) {
    int delivery = Math.toIntExact(settings.deliveryTimeout().toMillis());
    int linger = Math.toIntExact(settings.linger().toMillis());
    Map<String, Object> own = new HashMap<>();
    own.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
    own.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    own.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, BlockSerializer.class);
    own.put(ProducerConfig.ACKS_CONFIG, "all");
    own.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    own.put(ProducerConfig.LINGER_MS_CONFIG, linger);
    own.put(ProducerConfig.BATCH_SIZE_CONFIG, settings.batchBytes());
    own.put(
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        StreamBuffer.ofProcess(tasks).bytes(settings.bufferBytes()));
    own.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, settings.maxRequestBytes());
    // As large as the system lets them grow: with 128 KiB each request takes a dozen turns.
    own.put(ProducerConfig.SEND_BUFFER_CONFIG, Selectable.USE_DEFAULT_BUFFER_SIZE);
    own.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, delivery);
    own.put(
        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
        Math.toIntExact(settings.requestTimeout().toMillis()));
    // The writer waits itself, and looks meanwhile whether the topic is there: nothing else must
    // wait for a topic that is gone.
    own.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.min(MOST_BLOCK_MILLIS, delivery));
    return own;
  }
}
