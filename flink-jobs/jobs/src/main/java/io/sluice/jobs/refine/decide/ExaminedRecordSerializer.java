package io.sluice.jobs.refine.decide;

import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.jobs.refine.read.InputRecordSerializer;
import io.sluice.jobs.serial.Bytes;
import io.sluice.jobs.serial.CompactSerializer;
import io.sluice.jobs.serial.CompactType;
import io.sluice.refine.decide.Examined;
import io.sluice.refine.step.Examination;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.SignatureScheme;
import io.sluice.schema.Document;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes examined records; a document is in the record itself. */
final class ExaminedRecordSerializer extends CompactSerializer<ExaminedRecord> {
  static final ExaminedRecordSerializer INSTANCE = new ExaminedRecordSerializer();
  static final TypeInformation<ExaminedRecord> TYPE =
      new CompactType<>(ExaminedRecord.class, INSTANCE);

  private static final long serialVersionUID = 1L;
  private static final byte USABLE = 1;
  private static final byte PURGED = 2;
  private static final byte END = 3;
  private static final byte REFUSED = 4;

  @Override
  public void serialize(ExaminedRecord message, DataOutputView out) throws IOException {
    InputRecordSerializer.INSTANCE.serialize(message.record(), out);
    if (message.what() instanceof Examined.Usable usable) {
      out.writeByte(USABLE);
      write(usable.found(), out);
    } else if (message.what() instanceof Examined.Refused refused) {
      out.writeByte(REFUSED);
      Bytes.writeText(out, refused.reason());
    } else {
      out.writeByte(message.what() instanceof Examined.End ? END : PURGED);
    }
  }

  private static void write(Examination found, DataOutputView out) throws IOException {
    out.writeInt(found.properties().size());
    for (Map.Entry<String, String> property : found.properties().entrySet()) {
      Bytes.writeText(out, property.getKey());
      Bytes.writeText(out, property.getValue());
    }
    out.writeBoolean(found.drop().isPresent());
    if (found.drop().isPresent()) {
      Bytes.writeText(out, found.drop().get().why());
      Bytes.writeText(out, found.drop().get().detail());
    }
    out.writeBoolean(found.signature().isPresent());
    if (found.signature().isPresent()) {
      SignatureScheme scheme = found.signature().get().scheme();
      out.writeInt(scheme.words());
      out.writeInt(scheme.bands());
      out.writeInt(scheme.rows());
      Bytes.write(out, found.signature().get().bytes());
    }
    out.writeInt(found.copies().size());
    for (Map.Entry<String, Integer> topic : found.copies().entrySet()) {
      Bytes.writeText(out, topic.getKey());
      out.writeInt(topic.getValue());
    }
  }

  @Override
  public ExaminedRecord deserialize(DataInputView in) throws IOException {
    InputRecord record = InputRecordSerializer.INSTANCE.deserialize(in);
    byte kind = in.readByte();
    Examined what =
        switch (kind) {
          case USABLE ->
              new Examined.Usable(WireCodec.decode(Document.class, record.value()), found(in));
          case PURGED -> new Examined.Purged();
          case END -> new Examined.End();
          case REFUSED -> new Examined.Refused(Bytes.readText(in));
          default -> throw new IOException("unknown kind of examined record: " + kind);
        };
    return new ExaminedRecord(record, what);
  }

  private static Examination found(DataInputView in) throws IOException {
    Map<String, String> properties = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      properties.put(Bytes.readText(in), Bytes.readText(in));
    }
    Optional<Examination.Drop> drop = Optional.empty();
    if (in.readBoolean()) {
      drop = Optional.of(new Examination.Drop(Bytes.readText(in), Bytes.readText(in)));
    }
    Optional<Signature> signature = Optional.empty();
    if (in.readBoolean()) {
      SignatureScheme scheme = new SignatureScheme(in.readInt(), in.readInt(), in.readInt());
      signature = Optional.of(scheme.read(ByteBuffer.wrap(Bytes.read(in))));
    }
    Map<String, Integer> copies = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      copies.put(Bytes.readText(in), in.readInt());
    }
    return new Examination(properties, drop, signature, copies);
  }

  @Override
  public TypeSerializerSnapshot<ExaminedRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Names the serializer in checkpoints. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<ExaminedRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
