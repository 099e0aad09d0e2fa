package io.sluice.lab.chaos.fault;

import io.sluice.control.history.TopicScan;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a run's log to which nobody has written but the service. */
final class LogEnd {
  private static final Logger LOG = LoggerFactory.getLogger(LogEnd.class);

  private @Nullable ControlRecord grant;
  private long serial = -1;
  private long offset = -1;
  private @Nullable Long digest;

  /** Reads the topic to its end. */
  static LogEnd of(KafkaAccess kafka, String topic) {
    LogEnd end = new LogEnd();
    new TopicScan(kafka).read(List.of(topic), end::next);
    return end;
  }

  private void next(ConsumerRecord<byte[], byte[]> message) {
    try {
      byte[] value = message.value() == null ? new byte[0] : message.value();
      ControlRecord record = WireCodec.decode(ControlRecord.class, value);
      if (record.getSerial() == serial + 1) {
        serial = record.getSerial();
        offset = message.offset();
        digest = record.getBasedOnDigest() == null ? null : EntryDigest.of(value);
        grant = record.getBody() instanceof MixtureGrant ? record : grant;
      }
    } catch (WireFormatException noise) {
      LOG.debug("offset {} is passed over", message.offset());
    }
  }

  /** The last grant. */
  Optional<ControlRecord> grant() {
    return Optional.ofNullable(grant);
  }

  /** Serial of the last record. */
  long serial() {
    return serial;
  }

  /** By what the last record is named by those that follow it; null in a log without digests. */
  @Nullable Long digest() {
    return digest;
  }

  /** Offset of the last record. */
  long offset() {
    return offset;
  }
}
