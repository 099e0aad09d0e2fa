package io.sluice.jobs.mix.reweight;

import io.sluice.jobs.mix.rest.AskedCommands;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Segment;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.List;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record on its way to the Reweighter, in wire form. Flink reads and writes the fields: a class
 * of this shape needs neither Kryo nor a serializer of its own.
 */
public final class MixEvent {
  /** Run ids go into state as UTF; a run's name has at most 63 characters, its suffix few. */
  static final int MAX_RUN_ID = 255;

  /** Which record it is. */
  public Kind kind = Kind.UNDECODABLE;

  /** The run it is for; '' for what is of datasets, and where nothing names one. */
  public String runId = "";

  /** The topic it was read from. */
  public String topic = "";

  /** The partition of the topic. */
  public int partition;

  /** Its offset in the partition. */
  public long offset;

  /** The record as it was read. */
  public byte[] bytes = {};

  /** Why it cannot be used; '' if it can. */
  public String reason = "";

  /** What a record is, by the topic that it was read from. */
  public enum Kind {
    CONTROL(ControlRecord.class),
    COMMAND(RunCommand.class),
    FEEDBACK(TrainerFeedback.class, TrainerProgress.class, TrainerAttached.class),
    SUPPLY(Supply.class),
    UNDECODABLE,
    SEGMENT(Segment.class);

    private final List<Class<?>> types;

    Kind(Class<?>... types) {
      this.types = List.of(types);
    }

    /** Whether it is of a dataset, for all runs. */
    boolean isOfDataset() {
      return this == SUPPLY || this == SEGMENT;
    }
  }

  /** Called by Flink. */
  public MixEvent() {}

  /**
   * The record. Decoding it is what an event costs most: do it once.
   *
   * @throws IllegalArgumentException if it cannot be used, with the reason
   */
  SpecificRecordBase message() {
    if (kind == Kind.UNDECODABLE) {
      throw new IllegalArgumentException(reason);
    }
    SpecificRecordBase message;
    try {
      message = WireCodec.decode(bytes);
    } catch (WireFormatException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    if (kind.types.stream().noneMatch(type -> type.isInstance(message))) {
      throw new IllegalArgumentException(
          "topic " + topic + " must not hold a " + message.getSchema().getName());
    }
    if (!kind.isOfDataset()) {
      requireRun(runIdOf(message));
    }
    return message;
  }

  private void requireRun(String named) {
    if (named.isEmpty() || named.length() > MAX_RUN_ID) {
      throw new IllegalArgumentException(
          "runId must have 1 to " + MAX_RUN_ID + " characters: " + named.length());
    }
    if (!runId.isEmpty() && !runId.equals(named)) {
      throw new IllegalArgumentException("runId must be the key '" + runId + "': '" + named + "'");
    }
  }

  /** The run that a record names. */
  static String runIdOf(SpecificRecordBase message) {
    return message.get(message.getSchema().getField("runId").pos()).toString();
  }

  private MixEvent(
      Kind kind, String runId, ConsumerRecord<byte[], byte[]> from, byte[] bytes, String reason) {
    this.kind = kind;
    this.runId = runId;
    this.topic = from.topic();
    this.partition = from.partition();
    this.offset = from.offset();
    this.bytes = bytes;
    this.reason = reason;
  }

  /** A record that was read. */
  public static MixEvent of(Kind kind, String runId, ConsumerRecord<byte[], byte[]> from) {
    return new MixEvent(kind, runId, from, from.value(), "");
  }

  /** A record that cannot be used. */
  static MixEvent undecodable(String runId, ConsumerRecord<byte[], byte[]> from, String reason) {
    byte[] bytes = from.value() == null ? new byte[0] : from.value();
    return new MixEvent(Kind.UNDECODABLE, runId, from, bytes, reason);
  }

  /** Tells commands from other events. */
  record Commands() implements AskedCommands<MixEvent> {
    @Override
    public String run(MixEvent event) {
      return event.kind == Kind.COMMAND ? event.runId : "";
    }

    @Override
    public RunCommand of(MixEvent event) {
      return (RunCommand) event.message();
    }
  }

  /** Key of the Reweighter. */
  public String runId() {
    return runId;
  }
}
