package io.sluice.client.block;

import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a block packs: its tokens and which of its labels are trained. */
public final class Tokens {
  private Tokens() {}

  /** The block's tokens: sequence length + 1 ids. */
  public static int[] of(TokenBlock block) {
    return decode(block.getTokens(), block.getTokenWidth());
  }

  /**
   * Token ids from little-endian unsigned integers.
   *
   * @param packed read from its position to its limit, which stay as they are
   * @param width bytes per token, 2 or 4
   * @throws IllegalArgumentException if the width is another, the bytes are not whole tokens, or an
   *     id is 2^31 or more
   */
  public static int[] decode(ByteBuffer packed, int width) {
    requireWidth(width);
    if (packed.remaining() % width != 0) {
      throw new IllegalArgumentException(
          packed.remaining() + " bytes are not whole tokens of " + width + " bytes");
    }
    ByteBuffer in = packed.slice().order(ByteOrder.LITTLE_ENDIAN);
    int[] ids = new int[packed.remaining() / width];
    if (width == 2) {
      for (int i = 0; i < ids.length; i++) {
        ids[i] = in.getShort(2 * i) & 0xFFFF;
      }
      return ids;
    }
    in.asIntBuffer().get(ids);
    for (int id : ids) {
      if (id < 0) {
        throw new IllegalArgumentException(
            "token id must be below 2^31: " + Integer.toUnsignedString(id));
      }
    }
    return ids;
  }

  /**
   * Which labels count in the loss. Label i is token i + 1, predicted from tokens 0 … i. Labels
   * after the last run of the block's mask do not count.
   *
   * @return one entry for each of the block's labels, one fewer than its tokens
   */
  public static boolean[] trained(TokenBlock block) {
    requireWidth(block.getTokenWidth());
    int labels = block.getTokens().remaining() / block.getTokenWidth() - 1;
    List<Integer> runs = block.getLossMask();
    return trained(
        labels, runs == null ? null : runs.stream().mapToInt(Integer::intValue).toArray());
  }

  /** The same from a mask's run lengths; null when every label is trained. */
  static boolean[] trained(int labels, int @Nullable [] runs) {
    boolean[] trained = new boolean[labels];
    if (runs == null) {
      Arrays.fill(trained, true);
      return trained;
    }
    int position = 0;
    boolean value = true;
    for (int run : runs) {
      int end = Math.min(labels, position + Math.max(0, run));
      Arrays.fill(trained, position, end, value);
      position = end;
      value = !value;
    }
    return trained;
  }

  private static void requireWidth(int width) {
    if (width != 2 && width != 4) {
      throw new IllegalArgumentException("token width must be 2 or 4 bytes: " + width);
    }
  }
}
