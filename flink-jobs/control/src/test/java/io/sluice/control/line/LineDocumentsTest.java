package io.sluice.control.line;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.line.TestingJson.NotJson;
import io.sluice.schema.Document;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineDocumentsTest {
  private static final int MUTATIONS = Boolean.getBoolean("sluice.full") ? 1_000_000 : 10_000;
  private static final LineDocuments JSON =
      new LineDocuments(Optional.of(Fields.STANDARD), Optional.empty(), "f", "f");
  private static final List<String> GOOD =
      List.of(
          "{\"text\": \"plain\", \"id\": 12}",
          " {\"a\":[1,-2.5e-3,true,null,{\"b\":\"\\u00e9\\ud83d\\ude00\\n\"}],\"text\":\"é \uD83D\uDE00\"}\t",
          "{\"id\":\"k\",\"text\":\"\\\"quoted\\\\ \\/ and \\t\",\"x\":{},\"y\":[[]]}");
  private static final String PIECES = "{}[]\",:\\u0123e+-.nulltruefalse \t\r\u0000\u001f";

  @Test
  void changedLinesAreWhatAnotherParserSaysOrRefused() {
    Random random = new Random(8);
    long accepted = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] line = changed(GOOD.get(i % GOOD.size()).getBytes(UTF_8), random);
      Document document = document(line);
      Optional<Document> expected = expected(line);
      assertThat(Optional.ofNullable(document))
          .as("mutation %s: %s", i, new String(line, ISO_8859_1))
          .isEqualTo(expected);
      accepted += document == null ? 0 : 1;
    }
    assertThat(accepted).isBetween(MUTATIONS / 100L, MUTATIONS * 99L / 100);
  }

  @Test
  void whatIsNestedDeeplyIsRefused() {
    for (String deep :
        List.of(
            "[".repeat(10_000),
            "{\"a\":".repeat(10_000),
            "{\"text\": \"x\", \"a\": " + "[".repeat(10_000) + "]".repeat(10_000) + "}")) {
      assertRefused(deep.getBytes(UTF_8), "not JSON: ");
    }
  }

  @Test
  void aTextOfTwentyMegabytesIsTakenWholeAndOtherValuesOfThatSizeAreRefusedOrPassedOver()
      throws Exception {
    String text = "text \u00e9 ".repeat(2_600_000);
    byte[] line = ("{\"text\": \"" + text + "\"}").getBytes(UTF_8);
    assertThat(line).hasSizeGreaterThan(20_000_000);
    Line read = new LineReader(new ByteArrayInputStream(line), 32 << 20, 100).next();
    assertThat(JSON.of(read).orElseThrow().getText()).isEqualTo(text);
    String digits = "9".repeat(20_000_000);
    assertRefused(("{\"text\": \"x\", \"n\": " + digits + "}").getBytes(UTF_8), "not JSON: ");
    assertRefused(("{\"" + digits + "\": 1}").getBytes(UTF_8), "not JSON: ");
  }

  @Test
  void whatIsNoTextIsRefused() {
    assertRefused(new byte[] {'{', '"', (byte) 0xC3, '"'}, "not UTF-8 at byte 2");
    assertRefused("{\"text\": \"a\u0000b\"}".getBytes(UTF_8), "not JSON: ");
    assertThat(document("{\"text\": \"a\\u0000b\"}".getBytes(UTF_8)).getText())
        .isEqualTo("a\u0000b");
    assertRefused(new byte[] {0}, "not JSON: ");
  }

  @Test
  void linesAreThoseBetweenEndsHoweverTheyAreRead() throws IOException {
    Random random = new Random(9);
    for (int i = 0; i < MUTATIONS / 10; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) "\n\r\n\rabc\u0000".charAt(random.nextInt(8));
      }
      LineReader reader = new LineReader(new Trickling(bytes, random), 5, 3);
      List<String> read = new ArrayList<>();
      for (Line line = reader.next(); line != null; line = reader.next()) {
        read.add(line.length() + ":" + new String(line.bytes(), ISO_8859_1));
      }
      assertThat(read).as("round %s", i).isEqualTo(lines(new String(bytes, ISO_8859_1)));
    }
  }

  private static final class Trickling extends ByteArrayInputStream {
    private final Random random;

    Trickling(byte[] bytes, Random random) {
      super(bytes);
      this.random = random;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return super.read(target, offset, Math.min(length, 1 + random.nextInt(4)));
    }
  }

  /** Lines of at most 5 bytes whole, of longer ones their length, with its CR, and 3 bytes. */
  private static List<String> lines(String bytes) {
    List<String> lines = new ArrayList<>(List.of(bytes.split("\n", -1)));
    if (lines.get(lines.size() - 1).isEmpty()) {
      lines.remove(lines.size() - 1);
    }
    lines.replaceAll(
        line -> {
          String content = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
          return content.length() <= 5
              ? content.length() + ":" + content
              : line.length() + ":" + line.substring(0, 3);
        });
    return lines;
  }

  private static byte[] changed(byte[] good, Random random) {
    byte[] changed = good;
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(changed.length);
      byte piece =
          (byte)
              (random.nextInt(4) == 0
                  ? random.nextInt(256)
                  : PIECES.charAt(random.nextInt(PIECES.length())));
      int kept = at + random.nextInt(2);
      ByteBuffer next = ByteBuffer.allocate(at + 1 + changed.length - kept);
      changed =
          next.put(changed, 0, at).put(piece).put(changed, kept, changed.length - kept).array();
    }
    return random.nextInt(10) == 0
        ? Arrays.copyOf(changed, random.nextInt(changed.length))
        : changed;
  }

  /** What another parser, and the rules for texts and ids, make of a line. */
  private static Optional<Document> expected(byte[] line) {
    try {
      String decoded = UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
      String read = decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded;
      if (!(TestingJson.parse(read) instanceof Map<?, ?> object)
          || !(object.get("text") instanceof String text)
          || text.isBlank()
          || !UTF_8.newEncoder().canEncode(text)) {
        return Optional.empty();
      }
      Object id = object.get("id");
      String said = id == null ? "" : id.toString();
      if (id == null || (id instanceof StringBuilder && said.equals("null"))) {
        return Optional.of(new Document("f:1", text, "f", 1L, Map.of(), null));
      }
      boolean usable =
          id instanceof String
              ? !said.isEmpty() && UTF_8.newEncoder().canEncode(said)
              : id instanceof StringBuilder && said.matches("-?[0-9]+");
      return usable
          ? Optional.of(new Document(said.equals("-0") ? "0" : said, text, "f", 1L, Map.of(), null))
          : Optional.empty();
    } catch (NotJson | CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static Document document(byte[] line) {
    try {
      return JSON.of(new Line(1, line, line.length)).orElse(null);
    } catch (RefusedException e) {
      assertThat(e).hasMessageMatching("(?s).+");
      return null;
    }
  }

  private static void assertRefused(byte[] line, String reason) {
    assertThatThrownBy(() -> JSON.of(new Line(1, line, line.length)))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(reason);
  }
}
