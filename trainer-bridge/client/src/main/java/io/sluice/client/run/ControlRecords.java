package io.sluice.client.run;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decodes the control log; what nobody can read decides nothing. */
final class ControlRecords {
  private static final Logger LOG = LoggerFactory.getLogger(ControlRecords.class);

  private ControlRecords() {}

  /** The record, unless it is none. */
  static Optional<ControlRecord> decode(ConsumerRecord<byte[], byte[]> message) {
    try {
      return Optional.of(WireCodec.decode(ControlRecord.class, message.value()));
    } catch (WireFormatException e) {
      LOG.warn(
          "{}-{}, offset {} is ignored: {}",
          message.topic(),
          message.partition(),
          message.offset(),
          e.getMessage());
      return Optional.empty();
    }
  }
}
