package io.sluice.jobs.refine.read;

import io.sluice.jobs.serial.Bytes;
import io.sluice.jobs.serial.CompactSerializer;
import io.sluice.jobs.serial.CompactType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes records of inputs. */
public final class InputRecordSerializer extends CompactSerializer<InputRecord> {
  public static final InputRecordSerializer INSTANCE = new InputRecordSerializer();
  public static final TypeInformation<InputRecord> TYPE =
      new CompactType<>(InputRecord.class, INSTANCE);

  private static final long serialVersionUID = 1L;

  @Override
  public void serialize(InputRecord message, DataOutputView out) throws IOException {
    out.writeLong(message.number());
    out.writeInt(message.input());
    out.writeLong(message.offset());
    out.writeLong(message.timestamp());
    Bytes.write(out, message.value());
    out.writeLong(message.rounds());
    out.writeInt(message.round().size());
    for (long end : message.round()) {
      out.writeLong(end);
    }
  }

  @Override
  public InputRecord deserialize(DataInputView in) throws IOException {
    long number = in.readLong();
    int input = in.readInt();
    long offset = in.readLong();
    long timestamp = in.readLong();
    byte[] value = Bytes.read(in);
    long rounds = in.readLong();
    int inputs = in.readInt();
    List<Long> round = new ArrayList<>();
    for (int i = 0; i < inputs; i++) {
      round.add(in.readLong());
    }
    return new InputRecord(number, input, offset, timestamp, value, rounds, round);
  }

  @Override
  public TypeSerializerSnapshot<InputRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Names the serializer in checkpoints. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<InputRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
