package io.sluice.corpus.tokens;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.parquet.ParquetRows;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Documents of a Parquet file whose column is a list of whole numbers. */
record ParquetTokens(ParquetRows<TokenRow> rows) implements TokenFile {
  static ParquetTokens open(StoredFile file, TokenLayout layout)
      throws IOException, RefusedException {
    return new ParquetTokens(ParquetRows.open(file, new TokenColumn(layout)));
  }

  @Override
  public @Nullable TokenRow next() throws IOException {
    return rows.next();
  }

  @Override
  public void skip(long documents) throws IOException {
    rows.skip(documents);
  }

  @Override
  public double done() {
    return rows.done();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
