package io.sluice.client.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks that were written with an earlier schema, or with one that is still to come. */
final class BlockLayoutTest {
  private static final Schema CURRENT = TokenBlock.getClassSchema();

  /** A value of each type that a field may have, as one of a later schema might. */
  private static final Schema EVERYTHING =
      SchemaBuilder.record("Everything")
          .fields()
          .requiredBoolean("flag")
          .requiredInt("count")
          .requiredFloat("share")
          .requiredDouble("score")
          .requiredBytes("raw")
          .name("nothing")
          .type()
          .nullType()
          .noDefault()
          .name("digest")
          .type()
          .fixed("Digest")
          .size(7)
          .noDefault()
          .name("kind")
          .type()
          .enumeration("Kind")
          .symbols("A", "B")
          .noDefault()
          .name("scores")
          .type()
          .map()
          .values()
          .array()
          .items()
          .doubleType()
          .noDefault()
          .name("either")
          .type()
          .unionOf()
          .nullType()
          .and()
          .stringType()
          .and()
          .longType()
          .endUnion()
          .noDefault()
          .endRecord();

  private final RunInfo run = new TestingStream(1, 4).run();

  static Stream<Schema> committed() {
    return WireCodec.schemas(TokenBlock.class).stream();
  }

  @ParameterizedTest
  @MethodSource("committed")
  void aBlockOfEverySchemaIsReadAsTheCodecReadsIt(Schema written) {
    BlockReader reader = new BlockReader(run);
    byte[] encoded = encode(block(), written, 1);
    EncodedBlock found = reader.inspect(ByteBuffer.wrap(encoded));
    TokenBlock decoded = WireCodec.decode(TokenBlock.class, encoded);
    assertHolds(found, decoded);
    assertThat(reader.read(found, encoded)).isEqualTo(decoded);
    assertThat(found.producedAtMillis())
        .isEqualTo(written.getField("producedAtMillis") == null ? 0 : 1_767_225_600_001L);
    assertThat(reader.undecodable()).isZero();
  }

  static Stream<Path> samples() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("../../schemas/src/test/resources/wire"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("TokenBlock.*\\.bin"))
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void theCommittedBytesOfEveryVersionAreRead(Path sample) throws IOException {
    byte[] encoded = Files.readAllBytes(sample);
    TokenBlock block = WireCodec.decode(TokenBlock.class, encoded);
    RunSpec spec = RunSpec.newBuilder(run.spec()).setFingerprint(block.getFingerprint()).build();
    spec.setSequenceLength(block.getTokens().remaining() / block.getTokenWidth() - 1);
    BlockReader reader = new BlockReader(new RunInfo("r-1", spec));
    assertHolds(reader.inspect(ByteBuffer.wrap(encoded)), block);
    assertThat(reader.undecodable()).isZero();
  }

  @Test
  void whatALaterSchemaAddsAnywhereIsPassedOver() {
    List<Schema.Field> now = CURRENT.getFields();
    for (int place = 0; place <= now.size(); place++) {
      List<Schema.Field> fields = new ArrayList<>(now);
      fields.add(place, field("later", EVERYTHING));
      fields.add(field("last", Schema.createArray(EVERYTHING)));
      Schema later = schema(fields);
      BlockReader reader = new BlockReader(run, List.of(new BlockLayout(later)));
      for (int seed = 0; seed < 20; seed++) {
        assertHolds(reader.inspect(ByteBuffer.wrap(encode(block(), later, seed))), block());
      }
      assertThat(reader.undecodable()).isZero();
    }
  }

  @Test
  void everyTruncationOfALaterBlockIsMasked() {
    List<Schema.Field> fields = new ArrayList<>(CURRENT.getFields());
    fields.add(4, field("later", EVERYTHING));
    fields.add(field("last", Schema.create(Schema.Type.DOUBLE)));
    Schema later = schema(fields);
    BlockReader reader = new BlockReader(run, List.of(new BlockLayout(later)));
    byte[] encoded = encode(block(), later, 3);
    for (int length = 0; length < encoded.length; length++) {
      EncodedBlock found = reader.inspect(ByteBuffer.wrap(Arrays.copyOf(encoded, length)));
      assertThat(reader.isMasked(found)).as("%s bytes", length).isTrue();
    }
  }

  @Test
  void whatAnotherSchemaLacksHasItsDefault() {
    Schema spare =
        schema(CURRENT.getFields().stream().filter(each -> !each.hasDefaultValue()).toList());
    EncodedBlock found =
        new BlockReader(run, List.of(new BlockLayout(spare)))
            .inspect(ByteBuffer.wrap(encode(block(), spare, 1)));
    TokenBlock expected = TokenBlock.newBuilder(block()).setLane(0).setLossMask(null).build();
    expected.setProducedAtMillis(0);
    assertHolds(found, expected);
  }

  @Test
  void aSchemaThatBlocksCannotBeReadFromIsRefused() {
    List<Schema.Field> now = CURRENT.getFields();
    List<Schema.Field> without = new ArrayList<>(now);
    without.remove(1);
    List<Schema.Field> another = new ArrayList<>(now);
    another.set(1, field("domain", Schema.create(Schema.Type.LONG)));
    List<Schema.Field> swapped = new ArrayList<>(now);
    swapped.add(swapped.remove(1));
    for (List<Schema.Field> fields : List.of(without, another, swapped)) {
      assertThatThrownBy(() -> new BlockLayout(schema(fields)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching("a block must have its field '(domain|lane)' as today: .*");
    }
  }

  @Test
  void everyFieldIsKnownInItsPlace() {
    assertThat(Arrays.stream(BlockLayout.Field.values()).map(BlockLayout.Field::wireName))
        .containsExactlyElementsOf(CURRENT.getFields().stream().map(Schema.Field::name).toList());
  }

  private static TokenBlock block() {
    TokenBlock block = TestingStream.block("prose", 1_000_000);
    block.setLane(3);
    block.setLossMask(List.of(0, 4));
    block.setPayload(ByteBuffer.wrap(new byte[300]));
    block.setProducedAtMillis(1_767_225_600_001L);
    return block;
  }

  private static void assertHolds(EncodedBlock found, TokenBlock block) {
    assertThat(found.domain()).isEqualTo(block.getDomain());
    assertThat(found.lane()).isEqualTo(block.getLane());
    assertThat(found.ordinal()).isEqualTo(block.getOrdinal());
    assertThat(found.tokenWidth()).isEqualTo(block.getTokenWidth());
    assertThat(found.packed()).isEqualTo(block.getTokens());
    assertThat(found.documentLengths())
        .containsExactly(block.getDocumentLengths().toArray(Integer[]::new));
    assertThat(found.maskRuns())
        .isEqualTo(
            block.getLossMask() == null
                ? null
                : block.getLossMask().stream().mapToInt(Integer::intValue).toArray());
    assertThat(found.producedAtMillis()).isEqualTo(block.getProducedAtMillis());
  }

  private static Schema.Field field(String name, Schema type) {
    return new Schema.Field(name, type);
  }

  private static Schema schema(List<Schema.Field> fields) {
    List<Schema.Field> copies =
        fields.stream().map(each -> new Schema.Field(each, each.schema())).toList();
    return Schema.createRecord("TokenBlock", null, CURRENT.getNamespace(), false, copies);
  }

  /** The block as a writer of the schema had it; what only that schema knows is drawn. */
  private static byte[] encode(TokenBlock block, Schema schema, int seed) {
    GenericRecord written = new GenericData.Record(schema);
    for (Schema.Field field : schema.getFields()) {
      Schema.Field now = CURRENT.getField(field.name());
      Object drawn = new RandomData(field.schema(), 1, seed).iterator().next();
      written.put(field.pos(), now == null ? drawn : block.get(now.pos()));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    try {
      new GenericDatumWriter<GenericRecord>(schema).write(written, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return ByteBuffer.allocate(10 + out.size())
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 0xC3)
        .put((byte) 0x01)
        .putLong(SchemaNormalization.parsingFingerprint64(schema))
        .put(out.toByteArray())
        .array();
  }
}
