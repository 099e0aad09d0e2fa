package io.sluice.client.run;

import io.sluice.mixture.log.BrokenLogException;
import io.sluice.mixture.log.EntryDigests;
import io.sluice.mixture.log.EntryStep;
import io.sluice.mixture.log.EntryStep.Kind;
import io.sluice.mixture.log.LogPosition;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunStarted;
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

  /**
   * What decides whether the record applies.
   *
   * @param digest what it is by content
   */
  static EntryStep step(ControlRecord message, long digest) {
    if (message.getBody() instanceof RunStarted started) {
      RunOrigin origin = started.getOrigin();
      return step(
          message, digest, Kind.STARTED, 0, origin == null ? 0 : origin.getSnapshot().getBatch());
    }
    if (message.getBody() instanceof MixtureGrant grant) {
      return step(message, digest, Kind.GRANTED, grant.getAfter(), grant.getTo());
    }
    return message.getBody() instanceof RunRevised revised
        ? step(
            message, digest, Kind.REVISED, revised.getSkippedTo(), revised.getSnapshot().getBatch())
        : step(message, digest, Kind.CHANGED, 0, 0);
  }

  private static EntryStep step(
      ControlRecord message, long digest, Kind kind, long after, long to) {
    return new EntryStep(
        message.getRunId(),
        message.getTimeline(),
        message.getSerial(),
        message.getBasedOn(),
        new EntryDigests(message.getBasedOnDigest(), digest),
        kind,
        after,
        to);
  }

  /** What starts the run of an id, if this is the first entry of its log. */
  static Optional<RunStarted> start(String runId, ControlRecord message) {
    try {
      return message.getBody() instanceof RunStarted started
              && LogPosition.start(runId).accepts(step(message, 0))
          ? Optional.of(started)
          : Optional.empty();
    } catch (BrokenLogException e) {
      return Optional.empty();
    }
  }

  /** The record, unless it is none, or a snapshot where none belongs. */
  static Optional<ControlRecord> decode(ConsumerRecord<byte[], byte[]> message) {
    try {
      ControlRecord entry = WireCodec.decode(ControlRecord.class, message.value());
      return LogBeginning.isMisplaced(entry, message.topic())
          ? Optional.empty()
          : Optional.of(entry);
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
