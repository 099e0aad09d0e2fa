package io.sluice.jobs.mix.stream;

import io.sluice.control.wire.CommandWire;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Commands that declare a run failed. The control log decides, as on every command: so all readers
 * see the same end of the run, with its reason.
 *
 * @param clock for the time in the command, which decides nothing
 */
record FailureCommands(Topics topics, InstantSource clock) {
  /** The command for a run; its id is always the same, so that the run fails once. */
  ProducerRecord<byte[], ByteBuffer> of(String runId, String reason) {
    byte[] key = runId.getBytes(StandardCharsets.UTF_8);
    RunCommand command = CommandWire.failure(runId, reason, clock.millis());
    return new ProducerRecord<>(topics.runs(), key, ByteBuffer.wrap(WireCodec.encode(command)));
  }
}
