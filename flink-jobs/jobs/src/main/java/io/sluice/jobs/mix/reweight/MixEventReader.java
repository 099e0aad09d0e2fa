package io.sluice.jobs.mix.reweight;

import io.sluice.jobs.mix.reweight.MixEvent.Kind;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.charset.StandardCharsets;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads records of the control plane; what cannot be used becomes an event with the reason. */
final class MixEventReader implements KafkaRecordDeserializationSchema<MixEvent> {
  private static final long serialVersionUID = 1L;

  /** Run ids go into state as UTF; a run's name has at most 63 characters, its suffix few. */
  private static final int MAX_RUN_ID = 255;

  private final Topics topics;

  MixEventReader(Topics topics) {
    this.topics = topics;
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<MixEvent> out) {
    out.collect(read(message));
  }

  private MixEvent read(ConsumerRecord<byte[], byte[]> message) {
    if (message.value() == null) {
      return undecodable(message, "a record without a value");
    }
    try {
      SpecificRecordBase read = WireCodec.decode(message.value());
      Kind kind = kind(message.topic(), read);
      String runId = kind == Kind.SUPPLY ? "" : requireRunId(read);
      return MixEvent.of(kind, runId, message);
    } catch (WireFormatException | IllegalArgumentException e) {
      return undecodable(message, String.valueOf(e.getMessage()));
    }
  }

  private Kind kind(String topic, SpecificRecordBase message) {
    if (topic.equals(topics.control()) && message instanceof ControlRecord) {
      return Kind.CONTROL;
    }
    if (topic.equals(topics.runs()) && message instanceof RunCommand) {
      return Kind.COMMAND;
    }
    if (topic.startsWith(topics.feedback("")) && message instanceof TrainerFeedback) {
      return Kind.FEEDBACK;
    }
    if (topic.startsWith(topics.feedback("")) && message instanceof TrainerProgress) {
      return Kind.PROGRESS;
    }
    if (topic.startsWith(topics.feedback("")) && message instanceof TrainerAttached) {
      return Kind.ATTACHED;
    }
    if (topic.startsWith(topics.supply("")) && message instanceof Supply) {
      return Kind.SUPPLY;
    }
    throw new IllegalArgumentException(
        "topic " + topic + " must not hold a " + message.getSchema().getName());
  }

  private static String requireRunId(SpecificRecordBase message) {
    String runId = message.get(message.getSchema().getField("runId").pos()).toString();
    if (runId.isEmpty() || runId.length() > MAX_RUN_ID) {
      throw new IllegalArgumentException(
          "runId must have 1 to " + MAX_RUN_ID + " characters: " + runId.length());
    }
    return runId;
  }

  /** Writers use the run's id as key, so that its status can show what was refused. */
  private static MixEvent undecodable(ConsumerRecord<byte[], byte[]> message, String reason) {
    byte[] key = message.key();
    boolean named = key != null && key.length <= MAX_RUN_ID;
    String runId = named ? new String(key, StandardCharsets.UTF_8) : "";
    return MixEvent.undecodable(runId, message, reason);
  }

  @Override
  public TypeInformation<MixEvent> getProducedType() {
    return TypeInformation.of(MixEvent.class);
  }
}
