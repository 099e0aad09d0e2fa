package io.sluice.corpus.parquet;

import java.nio.charset.StandardCharsets;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.jspecify.annotations.Nullable;

/** A column's value in the current row: its bytes, or the digits of its number. */
public final class ColumnBytes extends PrimitiveConverter {
  private byte @Nullable [] bytes;

  /** The value; null where there is none. */
  public byte @Nullable [] bytes() {
    return bytes;
  }

  /** Begins a row. */
  public void clear() {
    bytes = null;
  }

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
