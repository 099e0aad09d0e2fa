package io.sluice.corpus.record;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.parquet.ParquetDocuments;
import io.sluice.corpus.tokens.TokenFile;
import io.sluice.corpus.tokens.TokenFiles;
import io.sluice.corpus.tokens.TokenRow;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Rows of a file of columns, or documents of a file of token ids. */
final class RowCursor implements RecordCursor {
  private final Rows rows;
  private final long bytes;
  private final LongConsumer read;
  private long passed;
  private long told;

  private RowCursor(Rows rows, long bytes, LongConsumer read) {
    this.rows = rows;
    this.bytes = bytes;
    this.read = read;
  }

  /** What differs from one format to the other. */
  private interface Rows extends Closeable {
    @Nullable FileRecord next(long number) throws IOException;

    void skip(long count) throws IOException;

    double done();
  }

  static RowCursor open(StoredFile file, RecordReading reading, LongConsumer read)
      throws IOException, RefusedException {
    Rows rows =
        reading.tokens().isPresent()
            ? new Tokens(TokenFiles.open(file, reading.tokens().get().layout()))
            : new Parquet(ParquetDocuments.open(file, reading.fields()));
    return new RowCursor(rows, file.bytes(), read);
  }

  private record Parquet(ParquetDocuments file) implements Rows {
    @Override
    public @Nullable FileRecord next(long number) throws IOException {
      return Optional.ofNullable(file.next())
          .map(row -> new FileRecord.OfRow(row.numbered(number)))
          .orElse(null);
    }

    @Override
    public void skip(long count) throws IOException {
      file.skip(count);
    }

    @Override
    public double done() {
      return file.done();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private record Tokens(TokenFile file) implements Rows {
    @Override
    public @Nullable FileRecord next(long number) throws IOException {
      return Optional.ofNullable(file.next())
          .map(row -> new TokenRow(number, row.id(), row.type(), row.tokens(), row.refusal()))
          .map(FileRecord.OfTokens::new)
          .orElse(null);
    }

    @Override
    public void skip(long count) throws IOException {
      file.skip(count);
    }

    @Override
    public double done() {
      return file.done();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Override
  public @Nullable FileRecord next() throws IOException {
    FileRecord next = rows.next(passed + 1);
    if (next != null) {
      passed++;
    }
    long done = next == null ? bytes : (long) (bytes * rows.done());
    read.accept(done - told);
    told = done;
    return next;
  }

  @Override
  public long passed() {
    return passed;
  }

  @Override
  public long place() {
    return 0;
  }

  @Override
  public void skipTo(long records, long place) throws IOException {
    rows.skip(records - passed);
    passed = records;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
