package io.sluice.schema.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The line of JSON that a side begins with. */
final class SideHeader {
  static final int ALIGNMENT = 64;

  /** Types of the columns that are known. */
  static final Map<String, String> TYPES =
      Map.of(
          "hash", "u64",
          "produced", "i64",
          "trained", "i32",
          "partsEnd", "i32",
          "length", "i32",
          "document", "u64",
          "runsEnd", "i32",
          "run", "i32");

  private static final ObjectMapper JSON = new ObjectMapper();

  private SideHeader() {}

  static String line(int rows, List<SideColumn> columns) {
    return "{\"version\": 1, \"rows\": "
        + rows
        + ", \"columns\": ["
        + columns.stream()
            .map(
                each ->
                    String.format(
                        "[\"%s\", \"%s\", %d, %d]",
                        each.name(), each.type(), each.offset(), each.count()))
            .collect(Collectors.joining(", "))
        + "]}\n";
  }

  /**
   * The header of a side.
   *
   * @throws IllegalArgumentException if it is none
   */
  static JsonNode read(ByteBuffer side) {
    int end = 0;
    while (end < side.limit() && side.get(end) != '\n') {
      end++;
    }
    byte[] line = new byte[end];
    side.get(0, line);
    try {
      JsonNode header = JSON.readTree(new String(line, StandardCharsets.UTF_8));
      if (header.path("version").intValue() != 1 || header.path("rows").intValue() < 1) {
        throw new IllegalArgumentException(
            "a side must be of version 1 and of at least a row: found " + header);
      }
      return header;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a side must begin with a line of JSON", e);
    }
  }

  /** The columns that are known, all of them within the side. */
  static Map<String, SideColumn> columns(JsonNode header, ByteBuffer side) {
    Map<String, SideColumn> found = new HashMap<>();
    for (JsonNode each : header.path("columns")) {
      SideColumn column =
          new SideColumn(
              each.path(0).asText(),
              each.path(1).asText(),
              each.path(2).intValue(),
              each.path(3).intValue());
      String type = TYPES.get(column.name());
      if (type == null) {
        continue;
      }
      if (!type.equals(column.type())
          || column.offset() < 0
          || column.offset() % ALIGNMENT != 0
          || column.count() < 0
          || column.end() > side.limit()) {
        throw new IllegalArgumentException(
            "column "
                + column.name()
                + " must lie within its side of "
                + side.limit()
                + " bytes: found "
                + each);
      }
      found.put(column.name(), column);
    }
    return found;
  }
}
