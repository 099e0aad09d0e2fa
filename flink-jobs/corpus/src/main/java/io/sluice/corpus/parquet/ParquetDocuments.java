package io.sluice.corpus.parquet;

import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/** The rows of a Parquet file that are texts: {@link ParquetRows} of text and id. */
public final class ParquetDocuments implements Closeable {
  private final ParquetRows<ParquetRow> rows;

  private ParquetDocuments(ParquetRows<ParquetRow> rows) {
    this.rows = rows;
  }

  /** The columns of text and id. */
  private record Texts(Fields fields) implements ParquetRows.Selection<ParquetRow> {
    @Override
    public MessageType columns(MessageType all) throws RefusedException {
      return Columns.of(all, fields);
    }

    @Override
    public RecordMaterializer<ParquetRow> rows(MessageType columns) {
      return RowAssembler.of(columns, fields);
    }
  }

  /**
   * Opens a file.
   *
   * @throws RefusedException if it has no such columns, or they hold neither texts nor ids
   * @throws IOException if it cannot be read or is no Parquet file
   */
  public static ParquetDocuments open(StoredFile file, Fields fields)
      throws IOException, RefusedException {
    return new ParquetDocuments(ParquetRows.open(file, new Texts(fields)));
  }

  /** The share of the file's rows that were read, from 0 to 1. */
  public double done() {
    return rows.done();
  }

  /** The next row; null at the end. */
  public @Nullable ParquetRow next() throws IOException {
    return rows.next();
  }

  /** Passes over the next rows; the numbers of later ones say nothing. */
  public void skip(long count) throws IOException {
    rows.skip(count);
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
