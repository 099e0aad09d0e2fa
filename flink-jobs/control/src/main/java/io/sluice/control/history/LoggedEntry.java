package io.sluice.control.history;

import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.RunStarted;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record of a control log that is an entry, whether it applies or not. */
record LoggedEntry(
    ConsumerRecord<byte[], byte[]> message, ControlRecord record, ControlEntry entry) {
  /**
   * The entry that a record holds; empty for what every reader ignores.
   *
   * @param wanted the run ids that are looked for
   */
  static Optional<LoggedEntry> read(
      ConsumerRecord<byte[], byte[]> message, Predicate<String> wanted) {
    try {
      ControlRecord record = WireCodec.decode(ControlRecord.class, message.value());
      return wanted.test(record.getRunId()) && !LogBeginning.isMisplaced(record, message.topic())
          ? Optional.of(new LoggedEntry(message, record, ControlWire.read(record, message.value())))
          : Optional.empty();
    } catch (WireFormatException | IllegalArgumentException e) {
      // Every reader ignores what is no entry; the job that reads it counts it.
      return Optional.empty();
    }
  }

  /** The start that this is, if it applies where nothing was before it. */
  Optional<RunStart> start() {
    return record.getBody() instanceof RunStarted started
            && entry.serial() == 0
            && entry.basedOn() == -1
        ? Optional.of(
            new RunStart(
                entry.runId(),
                started.getSpec().getRun(),
                message.topic(),
                message.offset(),
                message.timestamp()))
        : Optional.empty();
  }
}
