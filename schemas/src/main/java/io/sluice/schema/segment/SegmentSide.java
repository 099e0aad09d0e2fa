package io.sluice.schema.segment;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a segment says of its rows beside their tokens: a line of JSON, and behind it little-endian
 * columns, each at a multiple of 64 bytes.
 *
 * <pre>
 *   {"version": 1, "rows": n, "columns": [[name, type, offset, count], ...]}
 *
 *   hash u64[n]       RowHash                        length i32[parts]    tokens of each part
 *   produced i64[n]   when the block was packed      document u64[parts]  its document; 0: padding
 *   trained i32[n]    labels that count              runsEnd i32[n]       sum of runs up to a row
 *   partsEnd i32[n]   sum of parts up to a row       run i32[runs]        lengths, trained first
 * </pre>
 *
 * <p>The last two are there iff a row has a loss mask; a row without one has then one run, of all
 * its labels. Columns of other names are passed over. A view of the bytes, which must not change.
 */
public final class SegmentSide {
  private final ByteBuffer bytes;
  private final int rows;
  private final Map<String, SideColumn> columns;

  private SegmentSide(ByteBuffer bytes, int rows, Map<String, SideColumn> columns) {
    this.bytes = bytes;
    this.rows = rows;
    this.columns = columns;
  }

  /**
   * The bytes that say this of rows.
   *
   * @param labels of each row
   */
  public static byte[] encode(List<SideRow> rows, int labels) {
    return SideEncoder.encode(rows, labels);
  }

  /**
   * What bytes say of rows.
   *
   * @throws IllegalArgumentException naming what is wrong, if they are not a side
   */
  public static SegmentSide decode(ByteBuffer encoded) {
    ByteBuffer bytes = encoded.slice().order(ByteOrder.LITTLE_ENDIAN);
    JsonNode header = SideHeader.read(bytes);
    int rows = header.path("rows").intValue();
    SegmentSide side = new SegmentSide(bytes, rows, SideHeader.columns(header, bytes));
    side.requireSums("partsEnd", "length");
    side.require("document", side.column("length").count());
    if (side.columns.containsKey("runsEnd")) {
      side.requireSums("runsEnd", "run");
    }
    for (String name : List.of("hash", "produced", "trained")) {
      side.require(name, rows);
    }
    return side;
  }

  private SideColumn column(String name) {
    SideColumn found = columns.get(name);
    if (found == null) {
      throw new IllegalArgumentException("a side must have a column " + name);
    }
    return found;
  }

  private void require(String name, int count) {
    if (column(name).count() != count) {
      throw new IllegalArgumentException(
          "column " + name + " must have " + count + " entries: found " + column(name).count());
    }
  }

  /** Checks that the running sums of a column ascend to the number of another's entries. */
  private void requireSums(String ends, String of) {
    require(ends, rows);
    int before = 0;
    for (int row = 0; row < rows; row++) {
      int end = ints(ends, row);
      if (end < before) {
        throw new IllegalArgumentException("column " + ends + " must ascend: row " + row);
      }
      before = end;
    }
    require(of, before);
  }

  /** How many rows there are. */
  public int rows() {
    return rows;
  }

  /** The {@link RowHash} of a row. */
  public long hash(int row) {
    return longs("hash", row);
  }

  /** What is said of a row. */
  public SideRow row(int row) {
    int from = row == 0 ? 0 : ints("partsEnd", row - 1);
    int parts = ints("partsEnd", row) - from;
    int[] lengths = new int[parts];
    long[] documents = new long[parts];
    for (int i = 0; i < parts; i++) {
      lengths[i] = ints("length", from + i);
      documents[i] = longs("document", from + i);
    }
    return new SideRow(
        hash(row),
        longs("produced", row),
        ints("trained", row),
        lengths,
        documents,
        runs(row, Arrays.stream(lengths).sum() - 1));
  }

  private int @Nullable [] runs(int row, int labels) {
    if (!columns.containsKey("runsEnd")) {
      return null;
    }
    int from = row == 0 ? 0 : ints("runsEnd", row - 1);
    int[] runs = new int[ints("runsEnd", row) - from];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = ints("run", from + i);
    }
    return runs.length == 1 && runs[0] == labels ? null : runs;
  }

  private long longs(String name, int at) {
    return bytes.getLong(column(name).at(at));
  }

  private int ints(String name, int at) {
    return bytes.getInt(column(name).at(at));
  }
}
