package io.sluice.jobs.mix.stream;

import io.sluice.schema.ChangeRunState;
import io.sluice.schema.Limits;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.UUID;
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
    RunCommand command =
        RunCommand.newBuilder()
            .setCommandId("failed-" + UUID.nameUUIDFromBytes(key))
            .setRunId(runId)
            .setTimeMillis(clock.millis())
            .setBody(new ChangeRunState("failed", Limits.shortened(reason, Limits.TEXT)))
            .build();
    return new ProducerRecord<>(topics.runs(), key, ByteBuffer.wrap(WireCodec.encode(command)));
  }
}
