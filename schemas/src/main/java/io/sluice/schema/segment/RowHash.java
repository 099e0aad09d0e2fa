package io.sluice.schema.segment;

import io.sluice.schema.ChainHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The hash by which every row that is read is checked: quick enough for all of them, and of another
 * row the same with odds of 1 to 2^64. Not cryptographic.
 *
 * <p>Version 1, all arithmetic modulo 2^64, with the row as little-endian words of 8 bytes:
 *
 * <pre>
 *   c(j)   mix(j * 9E3779B97F4A7C15) | 1
 *   hash   mix(word(1) * c(1) + word(2) * c(2) + ...)
 * </pre>
 *
 * <p>where mix is that of {@link ChainHash}. Immutable.
 */
public final class RowHash {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long[] factors;

  /** The hash of rows of a format. */
  public RowHash(RowFormat format) {
    this.factors = new long[format.stride() / Long.BYTES];
    for (int i = 0; i < factors.length; i++) {
      factors[i] = ChainHash.mix((i + 1) * GOLDEN) | 1;
    }
  }

  /** The hash of the row that begins at a place of these bytes. */
  public long of(byte[] rows, int at) {
    long sum = 0;
    for (int i = 0; i < factors.length; i++) {
      sum += (long) WORD.get(rows, at + i * Long.BYTES) * factors[i];
    }
    return ChainHash.mix(sum);
  }

  /**
   * The hash of the row that a block's tokens are.
   *
   * @param tokens read from position to limit, which stay as they are; no more than a row's
   */
  public long of(ByteBuffer tokens) {
    ByteBuffer in = tokens.slice().order(ByteOrder.LITTLE_ENDIAN);
    int words = in.remaining() / Long.BYTES;
    long sum = 0;
    for (int i = 0; i < words; i++) {
      sum += in.getLong(i * Long.BYTES) * factors[i];
    }
    long rest = 0;
    for (int at = in.remaining() - 1; at >= words * Long.BYTES; at--) {
      rest = (rest << Byte.SIZE) | (in.get(at) & 0xFF);
    }
    return ChainHash.mix(rest == 0 ? sum : sum + rest * factors[words]);
  }
}
