package io.sluice.corpus.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.schema.Document;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfluentDocumentsTest {
  private static final String PAGE =
      """
      {"type": "record", "name": "Page", "fields": [
        {"name": "title", "type": "string"},
        {"name": "id", "type": ["null", "long", "string"]},
        {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["A", "B"]}},
        {"name": "tags", "type": {"type": "array", "items": {"type": "map", "values": "double"}}},
        {"name": "body", "type": ["string", "null"]},
        {"name": "seal", "type": {"type": "fixed", "name": "Seal", "size": 4}},
        {"name": "good", "type": ["null", "boolean", "bytes", "float", "int"]}]}
      """;
  private static final Schema SCHEMA = new Schema.Parser().parse(PAGE);
  private static final Fields FIELDS = new Fields("body", "id");
  private static final int MUTATIONS = Boolean.getBoolean("sluice.full") ? 1_000_000 : 10_000;

  private TestingRegistry registry;

  @BeforeEach
  void start() throws IOException {
    registry = new TestingRegistry();
    registry.put(7, PAGE);
  }

  @AfterEach
  void stop() {
    registry.close();
  }

  @Test
  void textAndIdAreTakenFromTheFieldsThatAreNamed() throws Exception {
    RecordDocuments documents = documents("");
    for (Object id : new Object[] {null, 42L, "k"}) {
      byte[] record = framed(7, encoded(page(id, "the text")));
      assertThat(documents.of("pages/3", 9, record))
          .contains(
              new Document(
                  id == null ? "pages/3:10" : id.toString(),
                  "the text",
                  "pages/3",
                  10L,
                  Map.of(),
                  null));
    }
    assertThat(documents.of("pages/3", 9, framed(7, encoded(page(1L, "  "))))).isEmpty();
    assertThat(registry.asked).containsExactly("7 null");
  }

  @Test
  void whatCannotBeUsedIsRefusedWithItsReason() throws Exception {
    registry.put(8, "{\"type\": \"string\"}");
    registry.put(9, "{\"type\": \"record\"}");
    registry.put(10, "{\"type\": \"record\", \"name\": \"R\", \"fields\": []}");
    registry.answers.put(
        11, "{\"schema\": \"message M {}\", \"schemaType\": \"PROTOBUF\"}".getBytes(UTF_8));
    registry.answers.put(
        12, "{\"schema\": \"{}\", \"references\": [{\"name\": \"x\"}]}".getBytes(UTF_8));
    byte[] good = encoded(page(1L, "text"));
    assertRefused(
        new byte[0], "must begin with a byte 0 and the four bytes of a schema's id: found 0");
    assertRefused(new byte[] {1, 0, 0, 0, 7}, "found 5 bytes that begin with 1");
    assertRefused(framed(7, Arrays.copyOf(good, good.length - 1)), "broken Avro: ");
    assertRefused(framed(7, Arrays.copyOf(good, good.length + 1)), "1 bytes follow the record");
    assertRefused(framed(7, encoded(page(1L, null))), "'body' must be a string: found null");
    assertRefused(framed(7, encoded(page("", "text"))), "'id' must not be empty");
    assertRefused(framed(8, good), "its schema must be a record: found string");
    assertRefused(framed(9, good), "schema 9 is no Avro schema: ");
    assertRefused(framed(10, new byte[0]), "'body' must be a string: found nothing");
    assertRefused(framed(11, good), "schema 11 must be of Avro: found PROTOBUF");
    assertRefused(framed(12, good), "schema 12 refers to other schemas");
    assertRefused(framed(404, good), "schema 404 is not known to the registry");
    assertRefused(framed(7, new byte[] {(byte) 0xFE, (byte) 0xFF, 127, 1}), "broken Avro: ");
  }

  @Test
  void whatIsNestedDeeplyOrTakesNoBytesIsRefused() throws Exception {
    registry.put(
        1,
        """
        {"type": "record", "name": "Node", "fields": [
          {"name": "next", "type": ["null", "Node"]}, {"name": "body", "type": "string"}]}
        """);
    byte[] deep = new byte[20_000];
    Arrays.fill(deep, 0, 10_000, (byte) 2);
    assertRefused(framed(1, deep), "is nested more than 100 levels deep");
    registry.put(
        2,
        """
        {"type": "record", "name": "Many", "fields": [
          {"name": "nothing", "type": {"type": "array", "items": "null"}},
          {"name": "body", "type": "string"}]}
        """);
    byte[] blocks = new byte[1_000_000];
    for (int i = 0; i + 2 < blocks.length; i += 2) {
      blocks[i] = (byte) 0x80;
      blocks[i + 1] = 0x40;
    }
    assertRefused(framed(2, blocks), "has many times more values than bytes");
    registry.put(
        3,
        "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"x\", \"type\": \"R\"}]}");
    assertRefused(framed(3, new byte[5]), "is nested more than 100 levels deep");
    registry.put(4, "[".repeat(10_000));
    assertRefused(framed(4, new byte[5]), "schema 4 is no Avro schema");
  }

  @Test
  void aRegistryThatCannotBeAskedIsAnErrorThatShowsNoPassword() throws Exception {
    byte[] good = encoded(page(1L, "text"));
    RecordDocuments documents = documents("me:se%40cret@");
    assertThat(documents.of("t/0", 0, framed(7, good))).isPresent();
    assertThat(registry.asked).containsExactly("7 Basic bWU6c2VAY3JldA==");

    registry.answers.put(20, "<html>log in</html>".getBytes(UTF_8));
    assertUnreachable(documents, 20, "its answer is not JSON");
    registry.answers.put(21, "{}".getBytes(UTF_8));
    assertUnreachable(documents, 21, "its answer has no 'schema'");
    registry.answers.put(22, new byte[SchemaRegistry.ANSWER_BYTES + 1]);
    assertUnreachable(documents, 22, "its answer has more than 1048576 bytes");
    RecordDocuments hasty =
        new ConfluentDocuments(
            FIELDS, new SchemaRegistry(registry.url(""), Duration.ofMillis(100)));
    assertUnreachable(hasty, -1, "no answer within 100 ms");
    registry.put(23, PAGE);
    registry.status = 503;
    assertUnreachable(documents, 23, "HTTP status 503");
    registry.status = 200;
    assertThat(documents.of("t/0", 0, framed(23, good))).isPresent();
    registry.close();
    assertUnreachable(documents, 24, "does not give schema 24");
    assertThat(documents.of("t/0", 0, framed(7, good))).isPresent();

    assertThatThrownBy(() -> new SchemaRegistry("ftp://me:secret@host"))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--schema-registry must be http://HOST:PORT")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> new SchemaRegistry("http://me:secret@ho st"))
        .hasMessageNotContaining("secret");
  }

  @Test
  void changedBytesAreReadAsAvrosOwnReaderDoesOrRefused() throws Exception {
    RecordDocuments documents = documents("");
    Random random = new Random(5);
    byte[] good = framed(7, encoded(page(12L, "some text, é and \uD83D\uDE00")));
    long accepted = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] changed = changed(good, random);
      try {
        Document document = documents.of("t/0", 0, changed).orElse(null);
        GenericRecord expected = decoded(changed);
        String text = expected.get("body").toString();
        if (document == null) {
          assertThat(text).as("mutation %s", i).isBlank();
        } else {
          assertThat(document.getText()).as("mutation %s", i).isEqualTo(text);
          Object id = expected.get("id");
          assertThat(document.getId()).isEqualTo(id == null ? "t/0:1" : id.toString());
          accepted++;
        }
      } catch (RefusedException e) {
        assertThat(e).as("mutation %s", i).hasMessageMatching("(?s).+");
      }
    }
    assertThat(accepted).isBetween(MUTATIONS / 100L, MUTATIONS * 99L / 100);
  }

  /** Some bytes changed, or cut off, or put in between; the schema's id is left alone. */
  static byte[] changed(byte[] good, Random random) {
    byte[] changed = good.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      changed[5 + random.nextInt(changed.length - 5)] = (byte) random.nextInt(256);
    }
    return switch (random.nextInt(8)) {
      case 0 -> Arrays.copyOf(changed, 5 + random.nextInt(changed.length - 5));
      case 1 -> Arrays.copyOf(changed, changed.length + random.nextInt(20));
      default -> changed;
    };
  }

  /** As Avro reads it, which must take all bytes. */
  private static GenericRecord decoded(byte[] framed) throws IOException {
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(framed, 5, framed.length - 5, null);
    GenericRecord record = new GenericDatumReader<GenericRecord>(SCHEMA).read(null, decoder);
    assertThat(decoder.isEnd()).isTrue();
    return record;
  }

  private RecordDocuments documents(String user) {
    return new ConfluentDocuments(
        FIELDS, new SchemaRegistry(registry.url(user), Duration.ofSeconds(10)));
  }

  private void assertRefused(byte[] record, String reason) {
    assertThatThrownBy(() -> documents("").of("t/0", 0, record))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(reason);
  }

  private static void assertUnreachable(RecordDocuments documents, int id, String reason) {
    assertThatThrownBy(() -> documents.of("t/0", 0, framed(id, new byte[0])))
        .isInstanceOf(UnreachableException.class)
        .hasMessageStartingWith("--schema-registry http://127.0.0.1:")
        .hasMessageContaining(reason)
        .hasMessageNotContaining("cret");
  }

  private static GenericRecord page(Object id, String body) {
    GenericRecord page = new GenericData.Record(SCHEMA);
    page.put("title", "a title");
    page.put("id", id);
    page.put("kind", new GenericData.EnumSymbol(SCHEMA.getField("kind").schema(), "B"));
    page.put("tags", List.of(Map.of("x", 1.5), Map.of()));
    page.put("body", body);
    page.put("seal", new GenericData.Fixed(SCHEMA.getField("seal").schema(), new byte[4]));
    page.put("good", true);
    return page;
  }

  private static byte[] encoded(GenericRecord record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  static byte[] framed(int id, byte[] body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
  }
}
