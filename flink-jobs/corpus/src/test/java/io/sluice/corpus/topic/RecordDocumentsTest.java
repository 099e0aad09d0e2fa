package io.sluice.corpus.topic;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.schema.Document;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordDocumentsTest {
  private static final int MUTATIONS = Boolean.getBoolean("sluice.full") ? 1_000_000 : 10_000;
  private static final Document DOCUMENT =
      new Document(
          "an id",
          "text, é and \uD83D\uDE00",
          "elsewhere",
          3L,
          Map.of("a", "b", "c", "d"),
          List.of(0, 4));

  private final RecordDocuments written = documents(TopicFormat.DOCUMENT);

  @Test
  void aDocumentKeepsAllButItsPlace() throws Exception {
    Document moved = Document.newBuilder(DOCUMENT).setOrigin("docs/1").setLine(6L).build();
    assertThat(written.of("docs/1", 5, WireCodec.encode(DOCUMENT))).contains(moved);
    byte[] earlier =
        Files.readAllBytes(Path.of("../../schemas/src/test/resources/wire/v1/Document.bin"));
    Document sample = WireCodec.decode(Document.class, earlier);
    assertThat(written.of(sample.getOrigin(), sample.getLine() - 1, earlier)).contains(sample);
    assertThat(written.of("docs/1", 5, WireCodec.encode(new EndOfDomain("x", 0, 1L)))).isEmpty();
  }

  @Test
  void whatIsNoDocumentIsRefused() {
    assertRefused(new byte[0], "must be a Document in Avro's single-object encoding");
    TokenDocument tokens =
        new TokenDocument("a", "bytes", 2, ByteBuffer.allocate(2), "x", 1L, Map.of());
    assertRefused(WireCodec.encode(tokens), "must be a Document");
    Document spans = Document.newBuilder(DOCUMENT).setTrained(List.of(0, 400)).build();
    assertRefused(WireCodec.encode(spans), "trained[1] must lie in the text");
    Document name = Document.newBuilder(DOCUMENT).setId("x".repeat(5000)).build();
    assertRefused(WireCodec.encode(name), "document id must have at most 1024 bytes");
    byte[] bytes = WireCodec.encode(Document.newBuilder(DOCUMENT).setText("\uFFFD").build());
    int at = new String(bytes, ISO_8859_1).indexOf("\u00EF\u00BF\u00BD");
    bytes[at] = (byte) 0xC0;
    assertThat(WireCodec.decode(Document.class, bytes).getText()).contains("\uFFFD");
    assertRefused(bytes, "not UTF-8 at byte 0");
  }

  @Test
  void changedDocumentsAreReadAsTheirCodecDoesOrRefused() {
    Random random = new Random(6);
    byte[] good = WireCodec.encode(DOCUMENT);
    long accepted = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] changed = ConfluentDocumentsTest.changed(good, random);
      Document expected = decoded(changed);
      try {
        Document document = written.of("t/0", 0, changed).orElse(null);
        assertThat(expected).as("mutation %s", i).isNotNull();
        if (document == null) {
          assertThat(expected.getText()).isBlank();
        } else {
          expected.setOrigin("t/0");
          expected.setLine(1L);
          assertThat(document).as("mutation %s", i).isEqualTo(expected);
          accepted++;
        }
      } catch (RefusedException e) {
        assertThat(e).as("mutation %s", i).hasMessageMatching("(?s).+");
      }
    }
    assertThat(accepted).isBetween(MUTATIONS / 100L, MUTATIONS * 99L / 100);
  }

  @Test
  void jsonAndTextAreReadAsLinesAre() throws Exception {
    RecordDocuments json = documents(TopicFormat.JSON);
    assertThat(json.of("t/2", 7, "{\"body\": \"x\", \"key\": 5}".getBytes(UTF_8)))
        .contains(new Document("5", "x", "t/2", 8L, Map.of(), null));
    assertThatThrownBy(() -> json.of("t/2", 7, "{\"text\": \"x\"}".getBytes(UTF_8)))
        .hasMessage("'body' must be a string: found nothing");
    assertThatThrownBy(() -> json.of("t/2", 7, "[".repeat(10_000).getBytes(UTF_8)))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith("not JSON: ");
    RecordDocuments text = documents(TopicFormat.TEXT);
    assertThat(text.of("t/2", 7, "two\nlines".getBytes(UTF_8)))
        .contains(new Document("t/2:8", "two\nlines", "t/2", 8L, Map.of(), null));
    assertThatThrownBy(() -> text.of("t/2", 7, new byte[] {'a', -1}))
        .hasMessage("not UTF-8 at byte 1");
    assertThatThrownBy(() -> documents(TopicFormat.CONFLUENT_AVRO))
        .isInstanceOf(BadInputException.class)
        .hasMessage("--topic-format confluent-avro needs --schema-registry");
  }

  private static Document decoded(byte[] bytes) {
    try {
      return WireCodec.decode(Document.class, bytes);
    } catch (WireFormatException e) {
      return null;
    }
  }

  private static RecordDocuments documents(TopicFormat format) {
    return RecordDocuments.of(format, new Fields("body", "key"), null);
  }

  private void assertRefused(byte[] record, String reason) {
    assertThatThrownBy(() -> written.of("t/0", 0, record))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(reason);
  }
}
