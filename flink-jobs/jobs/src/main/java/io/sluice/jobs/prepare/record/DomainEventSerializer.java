package io.sluice.jobs.prepare.record;

import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.RangeRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.serial.Bytes;
import io.sluice.jobs.serial.CompactSerializer;
import io.sluice.jobs.serial.CompactType;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes domain events, after a byte that says which. */
public final class DomainEventSerializer extends CompactSerializer<DomainEvent> {
  public static final DomainEventSerializer INSTANCE = new DomainEventSerializer();
  public static final TypeInformation<DomainEvent> TYPE =
      new CompactType<>(DomainEvent.class, INSTANCE);

  private static final long serialVersionUID = 1L;
  private static final byte DOCUMENT = 1;
  private static final byte ENDED = 2;
  private static final byte REFUSED = 3;
  private static final byte RANGE_REFUSED = 4;

  @Override
  public void serialize(DomainEvent message, DataOutputView out) throws IOException {
    Bytes.writeText(out, message.domain());
    if (message instanceof TokenizedDocument document) {
      out.writeByte(DOCUMENT);
      out.writeBoolean(document.heldOut());
      out.writeLong(document.deciding());
      Bytes.writeText(out, document.id());
      Bytes.write(out, document.tokens());
      out.writeInt(document.counted().length);
      for (int run : document.counted()) {
        out.writeInt(run);
      }
    } else if (message instanceof RangeRefused range) {
      out.writeByte(RANGE_REFUSED);
      out.writeLong(range.offset());
      out.writeInt(range.records());
      Bytes.writeText(out, range.reason());
    } else {
      out.writeByte(message instanceof CorpusEnded ? ENDED : REFUSED);
    }
  }

  @Override
  public DomainEvent deserialize(DataInputView in) throws IOException {
    String domain = Bytes.readText(in);
    byte kind = in.readByte();
    return switch (kind) {
      case DOCUMENT ->
          new TokenizedDocument(
              domain,
              in.readBoolean(),
              in.readLong(),
              Bytes.readText(in),
              Bytes.read(in),
              runs(in));
      case ENDED -> new CorpusEnded(domain);
      case REFUSED -> new DocumentRefused(domain);
      case RANGE_REFUSED ->
          new RangeRefused(domain, in.readLong(), in.readInt(), Bytes.readText(in));
      default -> throw new IOException("unknown kind of domain event: " + kind);
    };
  }

  private static int[] runs(DataInputView in) throws IOException {
    int[] runs = new int[in.readInt()];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = in.readInt();
    }
    return runs;
  }

  @Override
  public TypeSerializerSnapshot<DomainEvent> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Names the serializer in checkpoints. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<DomainEvent> {
    /** Called by Flink. */
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
