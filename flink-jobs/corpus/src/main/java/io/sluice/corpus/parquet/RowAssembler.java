package io.sluice.corpus.parquet;

import java.nio.charset.StandardCharsets;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.jspecify.annotations.Nullable;

/** Takes the columns of one row after the other; the first column is the text, a second the id. */
final class RowAssembler extends RecordMaterializer<ParquetRow> {
  private final Value text = new Value();
  private final Value id = new Value();
  private long rows;

  /** Rows that were begun so far. */
  long rows() {
    return rows;
  }

  @Override
  public ParquetRow getCurrentRecord() {
    return new ParquetRow(rows, text.bytes, id.bytes);
  }

  @Override
  public GroupConverter getRootConverter() {
    return new GroupConverter() {
      @Override
      public Converter getConverter(int column) {
        return column == 0 ? text : id;
      }

      @Override
      public void start() {
        text.bytes = null;
        id.bytes = null;
        rows++;
      }

      @Override
      public void end() {}
    };
  }

  /** A column's value in the current row. */
  private static final class Value extends PrimitiveConverter {
    private byte @Nullable [] bytes;

    @Override
    public void addBinary(Binary value) {
      bytes = value.getBytes();
    }

    @Override
    public void addInt(int value) {
      addLong(value);
    }

    @Override
    public void addLong(long value) {
      bytes = Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }
  }
}
