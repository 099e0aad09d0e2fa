package io.sluice.schema;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * Avro's binary encoding over a range of bytes, read without trusting it: every length and count is
 * checked against the bytes that remain before anything is allocated for it. So corrupt bytes cost
 * no more memory than intact ones of their size, and end in an {@link IOException} that says where.
 *
 * <p>An item of an array or map must take at least one byte. Avro alone would allow items of no
 * bytes (nulls, empty records), without any bound on how many; no wire record has such items.
 */
public final class BoundedDecoder extends Decoder {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int INT_BYTES = 5;
  private static final int LONG_BYTES = 10;

  private final byte[] bytes;
  private final int start;
  private final int end;
  private int at;

  /** The bytes from {@code offset} on; nobody may change them meanwhile. */
  public BoundedDecoder(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    this.start = offset;
    this.end = offset + length;
    this.at = offset;
  }

  /** Bytes that are not read yet. */
  public int remaining() {
    return end - at;
  }

  /**
   * Checks that everything has been read.
   *
   * @throws IOException if bytes follow
   */
  public void requireEnd() throws IOException {
    if (at != end) {
      throw broken(remaining() + " bytes follow the record");
    }
  }

  @Override
  public void readNull() {
    // Takes no bytes.
  }

  @Override
  public boolean readBoolean() throws IOException {
    byte value = bytes[take(1, "boolean")];
    if (value != 0 && value != 1) {
      throw broken("a boolean must be 0 or 1: " + value);
    }
    return value == 1;
  }

  @Override
  public int readInt() throws IOException {
    long value = readVarint(INT_BYTES, 32, "int");
    return (int) (value >>> 1) ^ -(int) (value & 1);
  }

  @Override
  public long readLong() throws IOException {
    long value = readVarint(LONG_BYTES, 64, "long");
    return (value >>> 1) ^ -(value & 1);
  }

  /** Seven bits a byte, the lowest first; the last byte's upper bits must fit. */
  private long readVarint(int maxBytes, int bits, String what) throws IOException {
    long value = 0;
    for (int i = 0; i < maxBytes; i++) {
      int next = bytes[take(1, what)] & 0xFF;
      int payload = next & 0x7F;
      boolean last = i == maxBytes - 1;
      if (last && (next > 0x7F || payload >>> (bits - 7 * i) != 0)) {
        break;
      }
      value |= (long) payload << (7 * i);
      if (next <= 0x7F) {
        return value;
      }
    }
    throw broken("a variable-length " + what + " is longer than " + bits + " bits");
  }

  @Override
  public float readFloat() throws IOException {
    return Float.intBitsToFloat((int) INTS.get(bytes, take(Float.BYTES, "float")));
  }

  @Override
  public double readDouble() throws IOException {
    return Double.longBitsToDouble((long) LONGS.get(bytes, take(Double.BYTES, "double")));
  }

  @Override
  public String readString() throws IOException {
    int length = readLength("string");
    return new String(bytes, take(length, "string"), length, StandardCharsets.UTF_8);
  }

  @Override
  public Utf8 readString(@Nullable Utf8 old) throws IOException {
    return new Utf8(readString());
  }

  @Override
  public void skipString() throws IOException {
    take(readLength("string"), "string");
  }

  @Override
  public ByteBuffer readBytes(@Nullable ByteBuffer old) throws IOException {
    int length = readLength("bytes");
    int from = take(length, "bytes");
    byte[] copy = new byte[length];
    System.arraycopy(bytes, from, copy, 0, length);
    return ByteBuffer.wrap(copy);
  }

  @Override
  public void skipBytes() throws IOException {
    take(readLength("bytes"), "bytes");
  }

  @Override
  public void readFixed(byte[] target, int offset, int length) throws IOException {
    System.arraycopy(bytes, take(length, "fixed"), target, offset, length);
  }

  @Override
  public void skipFixed(int length) throws IOException {
    take(length, "fixed");
  }

  @Override
  public int readEnum() throws IOException {
    return readOrdinal("enum symbol");
  }

  @Override
  public int readIndex() throws IOException {
    return readOrdinal("union branch");
  }

  /** The reader of the schema knows how many there are, and checks the upper end. */
  private int readOrdinal(String what) throws IOException {
    int index = readInt();
    if (index < 0) {
      throw broken(what + " must be at least 0: " + index);
    }
    return index;
  }

  @Override
  public long readArrayStart() throws IOException {
    return readCount("array");
  }

  @Override
  public long arrayNext() throws IOException {
    return readCount("array");
  }

  @Override
  public long skipArray() throws IOException {
    return skipBlocks("array");
  }

  @Override
  public long readMapStart() throws IOException {
    return readCount("map");
  }

  @Override
  public long mapNext() throws IOException {
    return readCount("map");
  }

  @Override
  public long skipMap() throws IOException {
    return skipBlocks("map");
  }

  /** Items of the next block; a negative count is followed by the block's size in bytes. */
  private long readCount(String what) throws IOException {
    long count = readLong();
    // The negation of the least long is itself, and is refused as negative.
    return count < 0
        ? requireItems(what, -count, readLength(what + " block"))
        : requireItems(what, count, remaining());
  }

  /** Passes over blocks that give their size; the items of the first that does not. */
  private long skipBlocks(String what) throws IOException {
    while (true) {
      long count = readLong();
      if (count >= 0) {
        return requireItems(what, count, remaining());
      }
      take(readLength(what + " block"), what + " block");
    }
  }

  private long requireItems(String what, long count, int available) throws IOException {
    if (count < 0 || count > available) {
      throw broken(what + " block of " + count + " items in " + available + " bytes");
    }
    return count;
  }

  private int readLength(String what) throws IOException {
    long length = readLong();
    if (length < 0 || length > remaining()) {
      throw broken(what + " of " + length + " bytes, " + remaining() + " are left");
    }
    return (int) length;
  }

  /** Where the next {@code length} bytes begin; they count as read. */
  private int take(int length, String what) throws IOException {
    if (length < 0 || length > remaining()) {
      throw broken(what + " of " + length + " bytes, " + remaining() + " are left");
    }
    int from = at;
    at += length;
    return from;
  }

  private IOException broken(String reason) {
    return new IOException(reason + " (at byte " + (at - start) + " of " + (end - start) + ")");
  }
}
