package io.sluice.djl.measure;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.Trainer;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.data.StepListener;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TokenLoss;
import io.sluice.djl.model.TokenSum;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.schema.TokenBlock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The held-out loss of every domain: the model is run forward over each domain's blocks and its
 * token losses are added up; no parameter and no gradient changes.
 *
 * <p>DJL's {@link ai.djl.training.listener.TrainingListener} is the wrong place for it: {@code
 * onTrainingBatch} comes before the optimizer step, so the loss of step t would be measured after
 * batch t + 1 was fetched, while the stream may hold that batch back until it has the loss of step
 * t. A {@link StepListener} comes between the two.
 */
public final class DomainEvaluation implements StepMeter {
  private final Map<String, List<TokenBlock>> heldOut = new LinkedHashMap<>();
  private final ModelSize size;
  private final int microBatch;
  private final boolean documentMask;

  /**
   * An evaluation of fixed blocks.
   *
   * @param heldOut blocks by domain; the result has the same order
   * @param microBatch blocks that are evaluated at a time
   * @param documentMask as in training
   * @throws IllegalArgumentException if there is no domain, or a domain has no block with a trained
   *     token
   */
  public DomainEvaluation(
      Map<String, List<TokenBlock>> heldOut, ModelSize size, int microBatch, boolean documentMask) {
    if (heldOut.isEmpty()) {
      throw new IllegalArgumentException("an evaluation needs at least 1 domain: 0");
    }
    if (microBatch < 1) {
      throw new IllegalArgumentException("microBatch must be at least 1: " + microBatch);
    }
    heldOut.forEach(
        (domain, blocks) -> {
          requireTrainedTokens(domain, blocks);
          this.heldOut.put(domain, List.copyOf(blocks));
        });
    this.size = size;
    this.microBatch = microBatch;
    this.documentMask = documentMask;
  }

  private static void requireTrainedTokens(String domain, List<TokenBlock> blocks) {
    if (blocks.stream().mapToLong(TokenBlock::getTrainedTokens).sum() < 1) {
      throw new IllegalArgumentException(
          "domain "
              + domain
              + " must have held-out blocks with trained tokens to be evaluated: "
              + blocks.size()
              + " blocks, no trained token; raise the data set's held-out share or add documents");
    }
  }

  /**
   * Runs the model over every block.
   *
   * @return sum and count of the token losses by domain
   * @throws DivergedException if a domain's loss is not finite
   */
  public Map<String, TokenSum> evaluate(Trainer trainer) {
    Map<String, TokenSum> losses = new LinkedHashMap<>();
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      heldOut.forEach((domain, blocks) -> losses.put(domain, evaluate(trainer, domain, blocks)));
    }
    return losses;
  }

  /** The same as the metric that runs wait for. */
  @Override
  public Map<String, Map<String, Total>> measure(Trainer trainer, long step) {
    return Map.of(Measurement.EVAL_LOSS, TokenSum.totals(evaluate(trainer)));
  }

  private TokenSum evaluate(Trainer trainer, String domain, List<TokenBlock> blocks) {
    TokenSum total = TokenSum.NONE;
    for (BlockBatch part : BlockBatch.parts(blocks, microBatch, size, documentMask)) {
      total = total.plus(evaluate(trainer, part));
    }
    if (!Double.isFinite(total.sum())) {
      throw new DivergedException(
          "held-out loss of domain "
              + domain
              + " must be finite, it was not published: "
              + total.sum()
              + " over "
              + total.count()
              + " tokens");
    }
    return total;
  }

  private static TokenSum evaluate(Trainer trainer, BlockBatch part) {
    try (NDManager scope = trainer.getManager().newSubManager()) {
      NDList targets = part.targets(scope);
      NDArray logits = trainer.evaluate(part.data(scope)).singletonOrThrow();
      return TokenLoss.sum(targets, TokenLoss.perToken(targets, logits));
    }
  }
}
