package io.sluice.service.seal;

import io.sluice.control.domain.SealedDomains;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Segment;
import io.sluice.schema.WireCodec;
import io.sluice.schema.segment.SealedLanes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The records in Kafka, written in transactions of one id: whoever opens this ends what the writer
 * before has left open, and keeps that one from writing on.
 */
final class KafkaSegmentLog implements SegmentLog {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final KafkaAccess access;
  private final String topic;
  private final DatasetSpec spec;
  private final Producer<byte[], byte[]> producer;

  private KafkaSegmentLog(KafkaAccess access, DatasetSpec spec) {
    this.access = access;
    this.spec = spec;
    this.topic = access.topics().segments(spec.getName());
    Map<String, Object> own =
        Map.of(
            "acks",
            "all",
            "max.block.ms",
            PATIENCE.toMillis(),
            "transactional.id",
            access.topics().prefix() + "sealer." + spec.getName());
    ByteArraySerializer bytes = new ByteArraySerializer();
    this.producer = new KafkaProducer<>(access.with(own), bytes, bytes);
  }

  /** Becomes the writer of a dataset's segments. */
  static KafkaSegmentLog open(KafkaAccess access, DatasetSpec spec) {
    KafkaSegmentLog log = new KafkaSegmentLog(access, spec);
    try {
      log.producer.initTransactions();
      return log;
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  @Override
  public SealedLanes sealed() {
    return SealedDomains.read(access, spec);
  }

  @Override
  public void write(List<Segment> segments) {
    try {
      producer.beginTransaction();
      for (Segment segment : segments) {
        byte[] key = SealedLanes.key(segment).getBytes(StandardCharsets.UTF_8);
        var unused = producer.send(new ProducerRecord<>(topic, key, WireCodec.encode(segment)));
      }
      producer.commitTransaction();
    } catch (InvalidProducerEpochException e) {
      // A partition says this where the coordinator says that the writer is fenced.
      throw new ProducerFencedException(e.getMessage());
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
