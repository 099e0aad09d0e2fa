package io.sluice.corpus.parquet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.jspecify.annotations.Nullable;

/**
 * A column's value in the current row: its bytes, or those of a number or truth as it is written.
 */
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
    // A dictionary may lie about lengths, which Binary.getBytes() believes: a buffer is checked.
    ByteBuffer buffer = value.toByteBuffer();
    bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
  }

  @Override
  public void addInt(int value) {
    addLong(value);
  }

  @Override
  public void addLong(long value) {
    written(Long.toString(value));
  }

  @Override
  public void addFloat(float value) {
    written(Float.toString(value));
  }

  @Override
  public void addDouble(double value) {
    written(Double.toString(value));
  }

  @Override
  public void addBoolean(boolean value) {
    written(Boolean.toString(value));
  }

  private void written(String value) {
    bytes = value.getBytes(StandardCharsets.US_ASCII);
  }
}
