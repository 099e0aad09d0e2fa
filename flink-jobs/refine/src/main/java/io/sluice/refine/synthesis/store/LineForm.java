package io.sluice.refine.synthesis.store;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The bytes of a line: checksum and JSON. */
final class LineForm {
  /** In ASCII, since halves of surrogate pairs, which an endpoint may send, have no UTF-8. */
  static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private static final int SUM = 9;

  private LineForm() {}

  static byte[] line(ObjectNode map) {
    try {
      byte[] json = JSON.writeValueAsBytes(map);
      byte[] line = Arrays.copyOf(sum(json, 0), SUM + json.length + 1);
      System.arraycopy(json, 0, line, SUM, json.length);
      line[line.length - 1] = '\n';
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static @Nullable JsonNode map(byte[] line) {
    if (line.length <= SUM || !Arrays.equals(line, 0, SUM, sum(line, SUM), 0, SUM)) {
      return null;
    }
    try {
      return JSON.readTree(line, SUM, line.length - SUM);
    } catch (IOException e) {
      return null;
    }
  }

  private static byte[] sum(byte[] bytes, int from) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, bytes.length - from);
    String digits = HexFormat.of().toHexDigits((int) crc.getValue()) + " ";
    return digits.getBytes(StandardCharsets.US_ASCII);
  }
}
