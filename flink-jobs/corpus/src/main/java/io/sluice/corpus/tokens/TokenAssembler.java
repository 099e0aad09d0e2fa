package io.sluice.corpus.tokens;

import io.sluice.corpus.parquet.ColumnBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Takes the columns of one row after the other; the first is a list of ids, a second the id. */
final class TokenAssembler extends RecordMaterializer<TokenRow> {
  private static final int FIRST = 4096;

  private final TokenType type;
  private final TokenLayout layout;
  private final GroupConverter root;
  private final ColumnBytes id = new ColumnBytes();
  private ByteBuffer ids = ByteBuffer.allocate(FIRST).order(ByteOrder.LITTLE_ENDIAN);
  private long numbers;
  private long elements;
  private boolean there;
  private long rows;

  /**
   * An assembler.
   *
   * @param type of the ids as they are handed on: 4 bytes or 8
   * @param list the column's type
   */
  TokenAssembler(TokenType type, Type list, TokenLayout layout) {
    this.type = type;
    this.layout = layout;
    boolean bare = list.asGroupType().getType(0).isPrimitive();
    PrimitiveConverter number = new Numbers();
    Converter element = bare ? number : group(number, () -> elements++);
    Converter tokens = group(element, () -> there = true);
    this.root =
        new GroupConverter() {
          @Override
          public Converter getConverter(int column) {
            return column == 0 ? tokens : id;
          }

          @Override
          public void start() {
            begin();
          }

          @Override
          public void end() {}
        };
    this.bare = bare;
  }

  private final boolean bare;

  @Override
  public TokenRow getCurrentRecord() {
    String refusal = refusal();
    byte[] tokens = refusal == null ? Arrays.copyOf(ids.array(), ids.position()) : new byte[0];
    return new TokenRow(rows, id.bytes(), type, tokens, refusal);
  }

  @Override
  public GroupConverter getRootConverter() {
    return root;
  }

  private void begin() {
    rows++;
    ids.clear();
    id.clear();
    numbers = 0;
    elements = 0;
    there = false;
  }

  private @Nullable String refusal() {
    if (!there) {
      return "'" + layout.field(TokenColumn.USUAL) + "' is null";
    }
    if (!bare && elements != numbers) {
      return "'" + layout.field(TokenColumn.USUAL) + "' holds a null";
    }
    long bytes = numbers * type.bytes();
    return bytes > layout.largest() ? layout.tooLarge(bytes) : null;
  }

  /** Whether there is room for another id; too many are only counted. */
  private boolean room() {
    numbers++;
    if (ids.position() + type.bytes() > layout.largest()) {
      return false;
    }
    if (ids.remaining() < type.bytes()) {
      ids =
          ByteBuffer.wrap(Arrays.copyOf(ids.array(), 2 * ids.capacity()))
              .order(ByteOrder.LITTLE_ENDIAN)
              .position(ids.position());
    }
    return true;
  }

  private static GroupConverter group(Converter only, Runnable begun) {
    return new GroupConverter() {
      @Override
      public Converter getConverter(int field) {
        return only;
      }

      @Override
      public void start() {
        begun.run();
      }

      @Override
      public void end() {}
    };
  }

  /** Takes the numbers. */
  private final class Numbers extends PrimitiveConverter {
    @Override
    public void addInt(int value) {
      if (room()) {
        ids.putInt(value);
      }
    }

    @Override
    public void addLong(long value) {
      if (room()) {
        ids.putLong(value);
      }
    }
  }
}
