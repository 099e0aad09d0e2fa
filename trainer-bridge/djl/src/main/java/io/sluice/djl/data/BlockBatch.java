package io.sluice.djl.data;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.sluice.client.block.Tokens;
import io.sluice.djl.model.CausalTransformer;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TokenLoss;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Token blocks laid out as arrays: what {@link CausalTransformer} reads and {@link TokenLoss}
 * scores, all [B, L] for B blocks of L + 1 tokens.
 *
 * <p>Label i is token i + 1, so the block's extra token is the last label. With document masking a
 * token's position counts from the start of its document, and its segment is the document's number
 * in the block; without it, positions count through the block and there is one segment.
 *
 * @param rows B
 * @param columns L
 * @param tokens input ids, row by row
 * @param labels label ids
 * @param weights 1 for a label that is trained, otherwise 0
 * @param positions for the position embedding
 * @param segments equal where tokens may see each other
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared; a copy per micro-batch would be waste.
public record BlockBatch(
    int rows,
    int columns,
    long[] tokens,
    long[] labels,
    float[] weights,
    long[] positions,
    long[] segments) {

  /**
   * Lays out blocks.
   *
   * @param size its vocabulary bounds the ids, its sequence length the blocks
   * @param documentMask whether packed documents are hidden from each other
   * @throws IllegalArgumentException if there is no block, the blocks differ in length or are
   *     longer than the model, or an id is outside the vocabulary
   */
  public static BlockBatch of(List<TokenBlock> blocks, ModelSize size, boolean documentMask) {
    if (blocks.isEmpty()) {
      throw new IllegalArgumentException("a batch needs at least 1 block: 0");
    }
    int columns = Tokens.of(blocks.get(0)).length - 1;
    if (columns < 1 || columns > size.sequenceLength()) {
      throw new IllegalArgumentException(
          "a block must have 1 to "
              + size.sequenceLength()
              + " labels, the model's sequence length: "
              + columns);
    }
    int cells = blocks.size() * columns;
    BlockBatch batch =
        new BlockBatch(
            blocks.size(),
            columns,
            new long[cells],
            new long[cells],
            new float[cells],
            new long[cells],
            new long[cells]);
    for (int row = 0; row < blocks.size(); row++) {
      batch.fill(row, blocks.get(row), size.vocabulary(), documentMask);
    }
    return batch;
  }

  /** The same in micro-batches. */
  public static List<BlockBatch> parts(
      List<TokenBlock> blocks, int microBatch, ModelSize size, boolean documentMask) {
    List<BlockBatch> parts = new ArrayList<>();
    for (int from = 0; from < blocks.size(); from += microBatch) {
      int to = Math.min(blocks.size(), from + microBatch);
      parts.add(of(blocks.subList(from, to), size, documentMask));
    }
    return parts;
  }

  /** Inputs of the model on the manager's device: tokens, positions, segments. */
  public NDList data(NDManager manager) {
    return new NDList(ids(manager, tokens), ids(manager, positions), ids(manager, segments));
  }

  /** Labels of the loss on the manager's device: label ids, loss weights. */
  public NDList targets(NDManager manager) {
    return new NDList(ids(manager, labels), manager.create(weights, new Shape(rows, columns)));
  }

  /** Labels that count in the loss. */
  public long trainedTokens() {
    long count = 0;
    for (int row = 0; row < rows; row++) {
      count += trainedTokens(row);
    }
    return count;
  }

  /** Labels of one row that count in the loss. */
  public long trainedTokens(int row) {
    long count = 0;
    for (int i = row * columns; i < (row + 1) * columns; i++) {
      count += weights[i] > 0 ? 1 : 0;
    }
    return count;
  }

  private NDArray ids(NDManager manager, long[] values) {
    return manager.create(values, new Shape(rows, columns));
  }

  private void fill(int row, TokenBlock block, int vocabulary, boolean documentMask) {
    int[] ids = Tokens.of(block);
    if (ids.length != columns + 1) {
      throw new IllegalArgumentException(
          describe(block) + " must have " + (columns + 1) + " tokens as the first: " + ids.length);
    }
    boolean[] trained = Tokens.trained(block);
    int start = row * columns;
    for (int i = 0; i <= columns; i++) {
      requireInVocabulary(block, i, ids[i], vocabulary);
    }
    for (int i = 0; i < columns; i++) {
      tokens[start + i] = ids[i];
      labels[start + i] = ids[i + 1];
      weights[start + i] = trained[i] ? 1 : 0;
      positions[start + i] = i;
    }
    if (documentMask) {
      markDocuments(start, block.getDocumentLengths());
    }
  }

  private void markDocuments(int start, List<Integer> lengths) {
    int from = 0;
    for (int document = 0; document < lengths.size() && from < columns; document++) {
      int to = Math.min(columns, from + lengths.get(document));
      Arrays.fill(segments, start + from, start + to, document);
      for (int i = from; i < to; i++) {
        int position = i - from;
        positions[start + i] = position;
      }
      from = to;
    }
  }

  private static void requireInVocabulary(TokenBlock block, int i, int id, int vocabulary) {
    if (id >= vocabulary) {
      throw new IllegalArgumentException(
          "token "
              + i
              + " of "
              + describe(block)
              + " must be in [0, "
              + vocabulary
              + "), the model's vocabulary: "
              + id);
    }
  }

  private static String describe(TokenBlock block) {
    return "block " + block.getOrdinal() + " of domain " + block.getDomain();
  }
}
