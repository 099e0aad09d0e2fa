package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.RecordWriter;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.wire.CommandWire;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * Writes commands to the runs topic; they take effect once the control log says so.
 *
 * @param nonces fresh, short names for commands and runs
 */
public record RunCommands(KafkaAccess access, InstantSource clock, Supplier<String> nonces) {
  private static final Duration WAIT = Duration.ofSeconds(20);

  /**
   * Makes the topics of a new run and asks for it.
   *
   * @param origin where a fork begins
   * @return the run id it will have
   * @throws IllegalArgumentException if the command has no room for it; no topic is made then
   * @throws BadInputException if documents of its dataset are being purged
   */
  public String apply(TopicAdmin admin, RunSpec spec, @Nullable RunOrigin origin) {
    new Purges(access).requireDataset(spec.getDataset());
    String runId = spec.getRun() + "." + nonces.get();
    command(runId, new ApplyRun(spec, "", origin, true, true));
    send(runId, new ApplyRun(spec, admin.ensureRun(spec, runId), origin, true, true));
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
    RunCommand command = command(runId, body);
    String topic = access.topics().runs();
    try {
      RecordWriter.write(access, topic, runId, command, WAIT);
      return command.getCommandId();
    } catch (AuthorizationException e) {
      throw new AuthorizationException("write to " + topic + ": " + e.getMessage(), e);
    } catch (KafkaException | KafkaUnreachableException e) {
      throw new UnreachableException(
          "the command was not written to " + topic + ": " + e.getMessage(), e);
    }
  }

  private RunCommand command(String runId, SpecificRecordBase body) {
    RunCommand command =
        RunCommand.newBuilder()
            .setCommandId(nonces.get())
            .setRunId(runId)
            .setTimeMillis(clock.millis())
            .setBody(body)
            .build();
    CommandWire.requireBounded(command);
    return command;
  }
}
