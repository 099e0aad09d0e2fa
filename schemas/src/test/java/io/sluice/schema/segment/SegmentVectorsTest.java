package io.sluice.schema.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.schema.DatasetSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Segments as every reader of them has to find them. */
final class SegmentVectorsTest {
  static Stream<JsonNode> vectors() throws IOException {
    JsonNode found =
        new ObjectMapper().readTree(Path.of("src/test/resources/vectors/segments.json").toFile());
    assertThat(found).isNotEmpty();
    return StreamSupport.stream(found.spliterator(), false);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void areMadeOfBlocks(JsonNode vector) throws IOException {
    BlockRows rows = new BlockRows(spec(vector));
    assertThat(rows.format().stride()).isEqualTo(vector.get("stride").intValue());
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    List<SideRow> side = new ArrayList<>();
    for (JsonNode block : vector.get("blocks")) {
      BlockRows.Row row = rows.of(vector.get("domain").textValue(), hex(block));
      data.write(row.data());
      side.add(row.side());
    }
    assertThat(data.toByteArray()).isEqualTo(hex(vector.get("data")));
    assertThat(side).isEqualTo(described(vector));
    assertThat(SegmentSide.encode(side, rows.format().labels())).isEqualTo(hex(vector.get("side")));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void tellADocumentThatIsOneTokenAlone(JsonNode vector) {
    BlockRows rows = new BlockRows(spec(vector));
    RowFormat format = rows.format();
    for (JsonNode block : vector.get("blocks")) {
      BlockRows.Row row = rows.of(vector.get("domain").textValue(), hex(block));
      assertThat(rows.isFilled(row, 0x1234)).isFalse();
      ByteBuffer filled = ByteBuffer.wrap(row.data().clone()).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < row.side().lengths()[0]; i++) {
        if (format.width() == 2) {
          filled.putShort(2 * i, (short) 0x8234);
        } else {
          filled.putInt(4 * i, 0x8234);
        }
      }
      assertThat(rows.isFilled(new BlockRows.Row(filled.array(), row.side()), 0x8234))
          .isEqualTo(row.side().documents()[0] != 0);
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void areReadAndEveryRowIsChecked(JsonNode vector) {
    byte[] data = hex(vector.get("data"));
    SegmentSide side = SegmentSide.decode(ByteBuffer.wrap(hex(vector.get("side"))));
    RowFormat format = RowFormat.of(spec(vector));
    RowHash hash = new RowHash(format);
    assertThat(side.rows()).isEqualTo(vector.get("rows").size());
    for (int row = 0; row < side.rows(); row++) {
      assertThat(side.row(row)).isEqualTo(described(vector).get(row));
      assertThat(hash.of(data, row * format.stride())).isEqualTo(side.hash(row));
      int bytes = format.tokens() * format.width();
      ByteBuffer tokens = ByteBuffer.wrap(data, row * format.stride(), bytes);
      assertThat(hash.of(tokens)).isEqualTo(side.hash(row));
      assertThat(new RowHash(new RowFormat(format.tokens(), 4)).of(tokens))
          .isEqualTo(side.hash(row));
      assertThat(tokens.remaining()).isEqualTo(bytes);
      data[row * format.stride()] ^= 1;
      assertThat(hash.of(data, row * format.stride())).isNotEqualTo(side.hash(row));
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void areRefusedWhereTheirSideIsCut(JsonNode vector) {
    byte[] whole = hex(vector.get("side"));
    for (int length = 0; length < whole.length; length++) {
      ByteBuffer cut = ByteBuffer.wrap(whole, 0, length);
      assertThatThrownBy(() -> SegmentSide.decode(cut))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void areRefusedWhereTheirSideIsAnother() {
    assertThatThrownBy(() -> decode("{\"version\": 2, \"rows\": 1}\n"))
        .hasMessage(
            "a side must be of version 1 and of at least a row: found"
                + " {\"version\":2,\"rows\":1}");
    assertThatThrownBy(() -> decode("rows\n")).hasMessage("a side must begin with a line of JSON");
    assertThatThrownBy(() -> decode("{\"version\": 1, \"rows\": 1, \"columns\": []}\n"))
        .hasMessage("a side must have a column partsEnd");
    assertThatThrownBy(
            () ->
                decode(
                    "{\"version\": 1, \"rows\": 1, \"columns\": [[\"hash\", \"u64\", 64, 9]]}\n"))
        .hasMessage(
            "column hash must lie within its side of 64 bytes: found [\"hash\",\"u64\",64,9]");
  }

  private static SegmentSide decode(String header) {
    byte[] bytes = Arrays.copyOf(header.getBytes(StandardCharsets.UTF_8), 64);
    return SegmentSide.decode(ByteBuffer.wrap(bytes));
  }

  private static DatasetSpec spec(JsonNode vector) {
    return DatasetSpec.newBuilder()
        .setName("d")
        .setFingerprint(vector.get("fingerprint").longValue())
        .setTokenizer("bytes")
        .setVocabulary(259)
        .setTokenWidth(vector.get("tokenWidth").intValue())
        .setEndOfDocument(256)
        .setPadding(257)
        .setSequenceLength(vector.get("sequenceLength").intValue())
        .setDocumentIds(vector.get("documentIds").textValue())
        .setShuffleBuffer(1)
        .setSeed(0)
        .setHeldOut(0)
        .setDomains(List.of(vector.get("domain").textValue()))
        .build();
  }

  private static List<SideRow> described(JsonNode vector) {
    List<SideRow> rows = new ArrayList<>();
    for (JsonNode row : vector.get("rows")) {
      rows.add(
          new SideRow(
              Long.parseUnsignedLong(row.get("hash").textValue(), 16),
              row.get("produced").longValue(),
              row.get("trained").intValue(),
              ints(row.get("lengths")),
              StreamSupport.stream(row.get("documents").spliterator(), false)
                  .mapToLong(each -> Long.parseUnsignedLong(each.textValue(), 16))
                  .toArray(),
              row.get("runs").isNull() ? null : ints(row.get("runs"))));
    }
    return rows;
  }

  private static int[] ints(JsonNode values) {
    return StreamSupport.stream(values.spliterator(), false).mapToInt(JsonNode::intValue).toArray();
  }

  private static byte[] hex(JsonNode node) {
    return HexFormat.of().parseHex(node.textValue());
  }
}
