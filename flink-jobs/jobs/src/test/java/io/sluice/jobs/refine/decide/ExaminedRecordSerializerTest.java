package io.sluice.jobs.refine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.refine.decide.Examined;
import io.sluice.refine.step.Examination;
import io.sluice.refine.twin.SignatureScheme;
import io.sluice.schema.Document;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

final class ExaminedRecordSerializerTest {
  private static final Document DOCUMENT =
      new Document("x", "a cat", "file", 0L, Map.of("a", "b"), null);

  @Test
  void documentsAreReadAsTheyWereExamined() throws IOException {
    Examination found =
        new Examination(
            Map.of("topic", "art"),
            Optional.of(new Examination.Drop("benchmark", "sums")),
            Optional.of(SignatureScheme.DEFAULT.sign("a cat")),
            Map.of("left", 3));

    ExaminedRecord read =
        again(new ExaminedRecord(record(DOCUMENT), new Examined.Usable(DOCUMENT, found)));

    Examined.Usable usable = (Examined.Usable) read.what();
    assertThat(usable.document()).isEqualTo(DOCUMENT);
    assertThat(usable.found().properties()).isEqualTo(found.properties());
    assertThat(usable.found().copies()).isEqualTo(found.copies());
    assertThat(usable.found().drop()).isEqualTo(found.drop());
    assertThat(usable.found().signature().orElseThrow().bytes())
        .isEqualTo(found.signature().orElseThrow().bytes());
    assertThat(read.record().number()).isEqualTo(3);
    assertThat(read.record().timestamp()).isEqualTo(5);
    assertThat(read.record().rounds()).isEqualTo(2);
    assertThat(read.record().round()).containsExactly(9L, 1L);
  }

  @Test
  void soIsWhatIsNoDocument() throws IOException {
    for (Examined what :
        List.of(new Examined.Purged(), new Examined.End(), new Examined.Refused("why"))) {
      assertThat(again(new ExaminedRecord(record(DOCUMENT), what)).what()).isEqualTo(what);
    }
  }

  @Test
  void recordsAreToldApart() {
    RecordExaminer examiner = new RecordExaminer(TestingSteps.none());

    assertThat(examiner.examine("a", WireCodec.encode(DOCUMENT)))
        .isInstanceOf(Examined.Usable.class);
    assertThat(examiner.examine("a", WireCodec.encode(new EndOfDomain("a", 0, 1L))))
        .isEqualTo(new Examined.End());
    assertThat(examiner.examine("a", WireCodec.encode(new EndOfDomain("b", 0, 1L))))
        .isEqualTo(new Examined.Refused("end marker of domain 'b' in the corpus of 'a'"));
    TokenDocument tokens =
        new TokenDocument("t", "bytes", 2, ByteBuffer.allocate(2), "file", 0L, Map.of());
    assertThat(examiner.examine("a", WireCodec.encode(tokens)))
        .isEqualTo(
            new Examined.Refused(
                "a refinery needs texts in the corpus, not token ids or ranges of files: found"
                    + " TokenDocument"));
    assertThat(examiner.examine("a", new byte[] {1, 2})).isInstanceOf(Examined.Refused.class);
    assertThat(examiner.examine("a", new byte[0])).isInstanceOf(Examined.Refused.class);
    Document longId = Document.newBuilder(DOCUMENT).setId("x".repeat(5_000)).build();
    assertThat(examiner.examine("a", WireCodec.encode(longId)))
        .isInstanceOf(Examined.Refused.class);
  }

  private static InputRecord record(SpecificRecordBase value) {
    return new InputRecord(3, 1, 4, 5, WireCodec.encode(value), 2, List.of(9L, 1L));
  }

  private static ExaminedRecord again(ExaminedRecord record) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    ExaminedRecordSerializer.INSTANCE.serialize(record, out);
    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    ExaminedRecord read = ExaminedRecordSerializer.INSTANCE.deserialize(in);
    assertThat(in.available()).isZero();
    return read;
  }
}
