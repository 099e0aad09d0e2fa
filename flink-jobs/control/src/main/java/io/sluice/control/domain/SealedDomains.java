package io.sluice.control.domain;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Segment;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.segment.SealedLanes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many blocks of a dataset's domains are in its store. */
public final class SealedDomains {
  private static final Logger LOG = LoggerFactory.getLogger(SealedDomains.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private SealedDomains() {}

  /**
   * What is sealed now.
   *
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public static SealedLanes read(KafkaAccess access, DatasetSpec spec) {
    SealedLanes sealed = new SealedLanes(spec.getFingerprint());
    String topic = access.topics().segments(spec.getName());
    try (TopicReader reader = TopicReader.committed(access)) {
      reader.catchUp(topic, PATIENCE, message -> take(message, sealed));
    }
    return sealed;
  }

  private static void take(ConsumerRecord<byte[], byte[]> message, SealedLanes sealed) {
    try {
      sealed.take(WireCodec.decode(Segment.class, message.value()));
    } catch (WireFormatException e) {
      LOG.warn(
          "offset {} of {} is no segment: {}", message.offset(), message.topic(), e.getMessage());
    }
  }

  /** The blocks of each domain that are sealed, in the order of the dataset's domains. */
  public static Map<String, Long> rows(SealedLanes sealed, DatasetSpec spec) {
    Map<String, Long> rows = new LinkedHashMap<>();
    for (String domain : spec.getDomains()) {
      long all = 0;
      for (int lane = 0; lane < spec.getLanes(); lane++) {
        all += sealed.rows(domain, lane);
      }
      rows.put(domain, all);
    }
    return rows;
  }
}
