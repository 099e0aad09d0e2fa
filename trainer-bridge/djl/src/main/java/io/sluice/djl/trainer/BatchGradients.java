package io.sluice.djl.trainer;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.model.CausalTransformer;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TokenLoss;
import io.sluice.djl.model.TokenSum;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/**
 * The gradients of one global batch, gathered over micro-batches: they add up to the gradient of
 * the mean over all trained tokens of the batch, however it is cut. {@code trainer.step()} then
 * takes the optimizer step.
 */
public final class BatchGradients {
  // DJL admits one gradient collector at a time in a process.
  private static final ReentrantLock COLLECTOR = new ReentrantLock();

  private BatchGradients() {}

  /**
   * Runs the model forward and backward over a batch, and adds to the parameters' gradients.
   *
   * @param trainer of a model that takes and gives what {@link CausalTransformer} does
   * @param microBatch blocks whose activations are in memory at a time
   * @param documentMask whether packed documents are hidden from each other
   * @return token losses by domain, before any step; a batch without a trained token has none, and
   *     no gradient
   */
  public static Map<String, TokenSum> gather(
      Trainer trainer,
      List<TokenBlock> blocks,
      int microBatch,
      ModelSize size,
      boolean documentMask) {
    return gather(trainer, blocks, microBatch, size, documentMask, done -> {});
  }

  /**
   * The same, and tells how far it has come.
   *
   * @param progress is given the number of blocks done, 0 before the first and then after each
   *     micro-batch, in the calling thread
   */
  static Map<String, TokenSum> gather(
      Trainer trainer,
      List<TokenBlock> blocks,
      int microBatch,
      ModelSize size,
      boolean documentMask,
      IntConsumer progress) {
    List<BlockBatch> parts = BlockBatch.parts(blocks, microBatch, size, documentMask);
    long tokens = parts.stream().mapToLong(BlockBatch::trainedTokens).sum();
    return tokens == 0 ? Map.of() : byDomain(blocks, accumulate(trainer, parts, tokens, progress));
  }

  /** Losses of the batch's rows, in order. */
  private static List<TokenSum> accumulate(
      Trainer trainer, List<BlockBatch> parts, long tokens, IntConsumer progress) {
    List<TokenSum> rows = new ArrayList<>();
    progress.accept(0);
    COLLECTOR.lock();
    try (GradientCollector collector = trainer.newGradientCollector()) {
      for (BlockBatch part : parts) {
        rows.addAll(backward(trainer, collector, part, tokens));
        progress.accept(rows.size());
      }
    } finally {
      COLLECTOR.unlock();
    }
    return rows;
  }

  private static List<TokenSum> backward(
      Trainer trainer, GradientCollector collector, BlockBatch part, long tokens) {
    try (NDManager scope = trainer.getManager().newSubManager()) {
      NDList targets = part.targets(scope);
      NDArray logits = trainer.forward(part.data(scope)).singletonOrThrow();
      NDArray perToken = TokenLoss.perToken(targets, logits);
      collector.backward(TokenLoss.mean(perToken, tokens));
      double[] sums = TokenLoss.rowSums(perToken);
      List<TokenSum> rows = new ArrayList<>();
      for (int row = 0; row < sums.length; row++) {
        rows.add(new TokenSum(sums[row], part.trainedTokens(row)));
      }
      return rows;
    }
  }

  /** A block without a trained token, such as one that could not be read, counts nowhere. */
  private static Map<String, TokenSum> byDomain(List<TokenBlock> blocks, List<TokenSum> rows) {
    Map<String, TokenSum> domains = new TreeMap<>();
    for (int row = 0; row < rows.size(); row++) {
      if (rows.get(row).count() > 0) {
        domains.merge(blocks.get(row).getDomain(), rows.get(row), TokenSum::plus);
      }
    }
    return domains;
  }
}
