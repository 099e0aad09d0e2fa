package io.sluice.schema.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Makes the bytes of a side of what is said of its rows. */
final class SideEncoder {
  private SideEncoder() {}

  static byte[] encode(List<SideRow> rows, int labels) {
    Map<String, Integer> counts = counts(rows);
    List<SideColumn> columns = places(rows.size(), counts);
    SideColumn last = columns.get(columns.size() - 1);
    ByteBuffer out =
        ByteBuffer.allocate(Math.toIntExact(last.end())).order(ByteOrder.LITTLE_ENDIAN);
    out.put(SideHeader.line(rows.size(), columns).getBytes(StandardCharsets.US_ASCII));
    for (SideColumn column : columns) {
      put(out.position(column.offset()), column.name(), rows, labels);
    }
    return out.array();
  }

  /** The columns in their order, with how many entries each has. */
  private static Map<String, Integer> counts(List<SideRow> rows) {
    int parts = rows.stream().mapToInt(row -> row.lengths().length).sum();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (String name : List.of("hash", "produced", "trained", "partsEnd")) {
      counts.put(name, rows.size());
    }
    counts.put("length", parts);
    counts.put("document", parts);
    if (rows.stream().anyMatch(row -> row.runs() != null)) {
      counts.put("runsEnd", rows.size());
      counts.put("run", rows.stream().mapToInt(row -> runs(row, 0).length).sum());
    }
    return counts;
  }

  /** Where they lie: behind the header, which is the longer the further they are. */
  private static List<SideColumn> places(int rows, Map<String, Integer> counts) {
    int begin = SideHeader.ALIGNMENT;
    while (true) {
      List<SideColumn> columns = new ArrayList<>();
      long at = begin;
      for (Map.Entry<String, Integer> each : counts.entrySet()) {
        String type = Objects.requireNonNull(SideHeader.TYPES.get(each.getKey()));
        SideColumn column =
            new SideColumn(each.getKey(), type, Math.toIntExact(at), each.getValue());
        columns.add(column);
        at = aligned(column.end());
      }
      int header = SideHeader.line(rows, columns).length();
      if (header <= begin) {
        return columns;
      }
      begin = (int) aligned(header);
    }
  }

  private static long aligned(long at) {
    return (at + SideHeader.ALIGNMENT - 1) / SideHeader.ALIGNMENT * SideHeader.ALIGNMENT;
  }

  private static int[] runs(SideRow row, int labels) {
    return row.runs() == null ? new int[] {labels} : row.runs();
  }

  private static void put(ByteBuffer out, String column, List<SideRow> rows, int labels) {
    int sum = 0;
    for (SideRow row : rows) {
      switch (column) {
        case "hash" -> out.putLong(row.hash());
        case "produced" -> out.putLong(row.producedAtMillis());
        case "trained" -> out.putInt(row.trainedTokens());
        case "partsEnd" -> out.putInt(sum += row.lengths().length);
        case "length" -> put(out, row.lengths());
        case "document" -> {
          for (long document : row.documents()) {
            out.putLong(document);
          }
        }
        case "runsEnd" -> out.putInt(sum += runs(row, labels).length);
        default -> put(out, runs(row, labels));
      }
    }
  }

  private static void put(ByteBuffer out, int[] values) {
    for (int value : values) {
      out.putInt(value);
    }
  }
}
