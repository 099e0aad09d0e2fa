package io.sluice.client.block;

import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Cuts blocks of L labels into rows of l, a divisor of L: row i has the tokens i · l to (i + 1) ·
 * l, both included. So the last token of a row, which is only a label there, is the first one of
 * the next, and each label is in one row. Of documents a row has the parts that lie in it, and
 * positions begin anew.
 */
public final class BlockRows {
  private BlockRows() {}

  /**
   * The rows of a block in order; the block itself if it is no longer than a row.
   *
   * @param labels of a row
   * @throws IllegalArgumentException if they do not divide the block's
   */
  public static List<TokenBlock> cut(TokenBlock block, int labels) {
    int whole = block.getTokens().remaining() / block.getTokenWidth() - 1;
    if (whole <= labels) {
      return List.of(block);
    }
    return starts(whole, labels).mapToObj(from -> row(block, from, labels)).toList();
  }

  /** The first tokens of the rows of a block. */
  static IntStream starts(int blockLabels, int labels) {
    if (labels < 1 || blockLabels % labels != 0) {
      throw new IllegalArgumentException(
          "labels of a row must divide the " + blockLabels + " of its block: " + labels);
    }
    return IntStream.range(0, blockLabels / labels).map(row -> row * labels);
  }

  /** The row of a block that begins at a token. */
  static TokenBlock row(TokenBlock block, int from, int labels) {
    int width = block.getTokenWidth();
    ByteBuffer tokens = block.getTokens();
    int[] parts = block.getDocumentLengths().stream().mapToInt(Integer::intValue).toArray();
    List<String> names = block.getDocumentIds();
    List<Integer> lengths = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    int at = 0;
    for (int part = 0; part < parts.length; part++) {
      int within = within(at, parts[part], from, labels + 1);
      if (within > 0) {
        lengths.add(within);
        ids.add(part < names.size() ? names.get(part) : "");
      }
      at += parts[part];
    }
    List<Integer> mask = block.getLossMask();
    int[] runs =
        mask == null
            ? null
            : cutRuns(mask.stream().mapToInt(Integer::intValue).toArray(), from, labels);
    return TokenBlock.newBuilder(block)
        .setTokens(tokens.slice(tokens.position() + from * width, (labels + 1) * width))
        .setDocumentLengths(lengths)
        .setDocumentIds(ids)
        .setLossMask(runs == null ? null : Arrays.stream(runs).boxed().toList())
        .setTrainedTokens(trained(runs, labels))
        .build();
  }

  /** The same of a block that is read where it lies. */
  static EncodedBlock row(EncodedBlock block, int from, int labels) {
    int width = block.tokenWidth();
    ByteBuffer tokens = block.packed();
    int[] runs = block.maskRuns();
    return new EncodedBlock(
        block.domain(),
        block.domainHash(),
        block.lane(),
        block.ordinal(),
        width,
        tokens.slice(tokens.position() + from * width, (labels + 1) * width),
        cutLengths(block.documentLengths(), from, labels + 1),
        block.documents(),
        runs == null ? null : cutRuns(runs, from, labels),
        block.producedAtMillis());
  }

  private static int[] cutLengths(int[] lengths, int from, int tokens) {
    IntStream.Builder cut = IntStream.builder();
    int at = 0;
    for (int length : lengths) {
      int within = within(at, length, from, tokens);
      if (within > 0) {
        cut.add(within);
      }
      at += length;
    }
    return cut.build().toArray();
  }

  /** Runs keep their places in turn, so that one without labels in the row is 0 long. */
  private static int[] cutRuns(int[] runs, int from, int labels) {
    int[] cut = new int[runs.length];
    int at = 0;
    for (int i = 0; i < runs.length; i++) {
      int run = Math.max(0, runs[i]);
      cut[i] = Math.max(0, within(at, run, from, labels));
      at = (int) Math.min(Integer.MAX_VALUE, (long) at + run);
    }
    return cut;
  }

  private static int trained(int @Nullable [] runs, int labels) {
    if (runs == null) {
      return labels;
    }
    return IntStream.range(0, runs.length).filter(i -> i % 2 == 0).map(i -> runs[i]).sum();
  }

  /** How much of a stretch lies in another; not above 0 if nothing does. */
  private static int within(int start, int length, int from, int size) {
    long end = Math.min((long) start + length, (long) from + size);
    return (int) (end - Math.max(start, from));
  }
}
