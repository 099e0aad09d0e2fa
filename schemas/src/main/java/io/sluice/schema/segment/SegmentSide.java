package io.sluice.schema.segment;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private final SideColumn hash;
  private final SideColumn produced;
  private final SideColumn trained;
  private final SideColumn partsEnd;
  private final SideColumn length;
  private final SideColumn document;
  private final @Nullable SideColumn runsEnd;
  private final @Nullable SideColumn run;

  private SegmentSide(ByteBuffer bytes, int rows, Map<String, SideColumn> columns) {
    this.bytes = bytes;
    this.rows = rows;
    this.partsEnd = sums("partsEnd", columns);
    int parts = sum(partsEnd);
    this.length = column("length", parts, columns);
    this.document = column("document", parts, columns);
    this.runsEnd = columns.containsKey("runsEnd") ? sums("runsEnd", columns) : null;
    this.run = runsEnd == null ? null : column("run", sum(runsEnd), columns);
    this.hash = column("hash", rows, columns);
    this.produced = column("produced", rows, columns);
    this.trained = column("trained", rows, columns);
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
    return new SegmentSide(
        bytes, header.path("rows").intValue(), SideHeader.columns(header, bytes));
  }

  private static SideColumn column(String name, int count, Map<String, SideColumn> columns) {
    SideColumn found = columns.get(name);
    if (found == null) {
      throw new IllegalArgumentException("a side must have a column " + name);
    }
    if (found.count() != count) {
      throw new IllegalArgumentException(
          "column " + name + " must have " + count + " entries: found " + found.count());
    }
    return found;
  }

  /** A column whose entries are running sums: they ascend. */
  private SideColumn sums(String name, Map<String, SideColumn> columns) {
    SideColumn found = column(name, rows, columns);
    int before = 0;
    for (int row = 0; row < rows; row++) {
      int end = ints(found, row);
      if (end < before) {
        throw new IllegalArgumentException("column " + name + " must ascend: row " + row);
      }
      before = end;
    }
    return found;
  }

  private int sum(SideColumn sums) {
    return ints(sums, rows - 1);
  }

  /** How many rows there are. */
  public int rows() {
    return rows;
  }

  /** The {@link RowHash} of a row. */
  public long hash(int row) {
    return longs(hash, row);
  }

  /**
   * What is said of a row.
   *
   * @throws IndexOutOfBoundsException if the bytes are not any more what they were
   */
  public SideRow row(int row) {
    int from = from(partsEnd, row);
    int[] lengths = new int[count(partsEnd, row, from, length)];
    long[] documents = new long[lengths.length];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = ints(length, from + i);
      documents[i] = longs(document, from + i);
    }
    return new SideRow(
        hash(row),
        longs(produced, row),
        ints(trained, row),
        lengths,
        documents,
        runs(row, lengths));
  }

  private int @Nullable [] runs(int row, int[] lengths) {
    if (runsEnd == null || run == null) {
      return null;
    }
    int from = from(runsEnd, row);
    int[] runs = new int[count(runsEnd, row, from, run)];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = ints(run, from + i);
    }
    return runs.length == 1 && runs[0] == Arrays.stream(lengths).sum() - 1 ? null : runs;
  }

  private int from(SideColumn ends, int row) {
    return row == 0 ? 0 : ints(ends, row - 1);
  }

  private int count(SideColumn ends, int row, int from, SideColumn of) {
    int end = ints(ends, row);
    Objects.checkFromToIndex(from, end, of.count());
    return end - from;
  }

  private long longs(SideColumn column, int at) {
    return bytes.getLong(column.at(at));
  }

  private int ints(SideColumn column, int at) {
    return bytes.getInt(column.at(at));
  }
}
