package io.sluice.control.runs;

import io.sluice.control.error.UnreachableException;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes commands to the runs topic; they take effect once the control log says so. */
public final class RunCommands {
  private final KafkaAccess access;
  private final InstantSource clock;
  private final Supplier<String> nonces;

  /**
   * A writer of commands.
   *
   * @param nonces fresh, short names for commands and runs
   */
  public RunCommands(KafkaAccess access, InstantSource clock, Supplier<String> nonces) {
    this.access = access;
    this.clock = clock;
    this.nonces = nonces;
  }

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
    Map<String, Object> settings =
        Map.of(
            "acks",
            "all",
            "delivery.timeout.ms",
            20_000,
            "request.timeout.ms",
            10_000,
            "max.block.ms",
            20_000);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(settings), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  access.topics().runs(),
                  runId.getBytes(StandardCharsets.UTF_8),
                  WireCodec.encode(command)))
          .get();
      return commandId;
    } catch (ExecutionException e) {
      throw new UnreachableException(
          "the command was not written to " + access.topics().runs() + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("writing the command was interrupted", e);
    }
  }
}
