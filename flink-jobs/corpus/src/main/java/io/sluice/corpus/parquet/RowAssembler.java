package io.sluice.corpus.parquet;

import io.sluice.control.line.Fields;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;

/** Takes the columns of one row after the other; the first column is the text. */
final class RowAssembler extends RecordMaterializer<ParquetRow> {
  private final ColumnBytes text = new ColumnBytes();
  private final ColumnBytes id = new ColumnBytes();
  private final ColumnBytes domain = new ColumnBytes();
  private final boolean hasId;
  private long rows;

  private RowAssembler(boolean hasId) {
    this.hasId = hasId;
  }

  /** Of these columns, as {@link Columns} puts them. */
  static RowAssembler of(MessageType columns, Fields fields) {
    return new RowAssembler(columns.getFieldCount() - (fields.domain().isPresent() ? 1 : 0) > 1);
  }

  @Override
  public ParquetRow getCurrentRecord() {
    return new ParquetRow(rows, text.bytes(), id.bytes(), domain.bytes());
  }

  @Override
  public GroupConverter getRootConverter() {
    return new GroupConverter() {
      @Override
      public Converter getConverter(int column) {
        return column == 0 ? text : column == 1 && hasId ? id : domain;
      }

      @Override
      public void start() {
        text.clear();
        id.clear();
        domain.clear();
        rows++;
      }

      @Override
      public void end() {}
    };
  }
}
