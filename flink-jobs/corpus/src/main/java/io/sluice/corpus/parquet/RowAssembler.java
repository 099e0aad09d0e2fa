package io.sluice.corpus.parquet;

import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.RecordMaterializer;

/** Takes the columns of one row after the other; the first column is the text, a second the id. */
final class RowAssembler extends RecordMaterializer<ParquetRow> {
  private final ColumnBytes text = new ColumnBytes();
  private final ColumnBytes id = new ColumnBytes();
  private long rows;

  @Override
  public ParquetRow getCurrentRecord() {
    return new ParquetRow(rows, text.bytes(), id.bytes());
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
        text.clear();
        id.clear();
        rows++;
      }

      @Override
      public void end() {}
    };
  }
}
