package io.sluice.jobs.mix.source;

import io.sluice.schema.EmissionWait;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Limits;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices on the status topic, sent by a thread of their own: a broker that is away keeps no task
 * from its work. What does not fit while it is away is left out.
 */
final class StatusNotices implements EmissionNotices {
  private static final Logger LOG = LoggerFactory.getLogger(StatusNotices.class);
  private static final int MOST_PENDING = 4_096;

  private final String topic;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private final BlockingQueue<Notice> pending = new ArrayBlockingQueue<>(MOST_PENDING);
  private final Thread sender;

  /** A record of the status topic; without a value nothing is waited for. */
  private record Notice(String key, byte @Nullable [] value) {}

  /**
   * @param producers one is made when there is something to tell
   */
  StatusNotices(String topic, Supplier<Producer<byte[], byte[]>> producers, String name) {
    this.topic = topic;
    this.producers = producers;
    sender = new Thread(this::send, name);
    sender.setDaemon(true);
    sender.start();
  }

  /** Notices on the deployment's status topic. */
  static StatusNotices in(KafkaAccess access, String clientId) {
    Map<String, Object> settings = Map.of("client.id", clientId, "acks", "all");
    return new StatusNotices(
        access.topics().status(),
        () ->
            new KafkaProducer<>(
                access.with(settings), new ByteArraySerializer(), new ByteArraySerializer()),
        clientId);
  }

  @Override
  public void waits(String runId, int lane, String reason, long sinceMillis) {
    EmissionWait wait =
        EmissionWait.newBuilder()
            .setRunId(runId)
            .setLane(lane)
            .setWaiting(Limits.shortened(reason, Limits.TEXT))
            .setSinceMillis(sinceMillis)
            .build();
    add(new Notice(key(runId, lane), WireCodec.encode(wait)));
  }

  @Override
  public void flows(String runId, int lane) {
    add(new Notice(key(runId, lane), null));
  }

  private static String key(String runId, int lane) {
    return runId + "/" + lane;
  }

  private void add(Notice notice) {
    if (!pending.offer(notice)) {
      LOG.debug("Nobody is told of {}: more is to be told than can be sent", notice.key());
    }
  }

  private void send() {
    Producer<byte[], byte[]> producer = null;
    try {
      while (true) {
        Notice notice = pending.take();
        if (producer == null) {
          producer = producers.get();
        }
        byte[] key = notice.key().getBytes(StandardCharsets.UTF_8);
        try {
          var unused = producer.send(new ProducerRecord<>(topic, key, notice.value()));
        } catch (KafkaException e) {
          LOG.debug("Nobody is told of {}", notice.key(), e);
        }
      }
    } catch (InterruptedException closed) {
      LOG.debug("Nobody is told of more", closed); // the thread ends; Kafka's close minds the flag
    } finally {
      if (producer != null) {
        producer.close(Duration.ZERO);
      }
    }
  }

  @Override
  public void close() {
    sender.interrupt();
  }
}
