package io.sluice.control.runs;

import io.sluice.control.error.UnreachableException;
import io.sluice.control.topics.RecordWriter;
import io.sluice.control.wire.CommandWire;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.KafkaException;

/**
 * Writes commands to the runs topic; they take effect once the control log says so.
 *
 * @param nonces fresh, short names for commands and runs
 */
public record RunCommands(KafkaAccess access, InstantSource clock, Supplier<String> nonces) {
  private static final Duration WAIT = Duration.ofSeconds(20);

  /**
   * Asks for a new run.
   *
   * @param streamTopicId Kafka's id of the stream topic that was made for it
   * @return the run id it will have
   */
  public String apply(RunSpec spec, String streamTopicId) {
    return apply(new ApplyRun(spec, streamTopicId, null));
  }

  /**
   * Asks for a new run, perhaps a fork.
   *
   * @return the run id it will have
   */
  public String apply(ApplyRun asked) {
    String runId = asked.getSpec().getRun() + "." + nonces.get();
    send(runId, asked);
    return runId;
  }

  /**
   * Asks for another phase of a run: running, paused, stopped or deleted.
   *
   * @return the command's id
   */
  public String change(String runId, String state, String reason) {
    return send(runId, new ChangeRunState(state, reason));
  }

  /**
   * Asks something of a run.
   *
   * @param body a record of the command's kind
   * @return the command's id
   * @throws IllegalArgumentException if a text of it, or all of it, is too long
   */
  public String send(String runId, SpecificRecordBase body) {
    String commandId = nonces.get();
    RunCommand command =
        RunCommand.newBuilder()
            .setCommandId(commandId)
            .setRunId(runId)
            .setTimeMillis(clock.millis())
            .setBody(body)
            .build();
    CommandWire.requireBounded(command);
    String topic = access.topics().runs();
    try {
      RecordWriter.write(access, topic, runId, command, WAIT);
      return commandId;
    } catch (KafkaException | KafkaUnreachableException e) {
      throw new UnreachableException(
          "the command was not written to " + topic + ": " + e.getMessage(), e);
    }
  }
}
