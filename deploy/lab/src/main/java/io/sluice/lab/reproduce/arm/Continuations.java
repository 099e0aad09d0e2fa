package io.sluice.lab.reproduce.arm;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.Trainer;
import io.sluice.client.block.Tokens;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TokenLoss;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Questions in place of a benchmark's, which a small model cannot answer: given the first half of a
 * block, which of four second halves is its own? The others are those of blocks of the same domain,
 * always the same ones. The answer is the one that the model finds most probable.
 */
final class Continuations {
  private static final int[] OTHERS = {7, 13, 29};
  private static final int CHOICES = OTHERS.length + 1;
  private static final int TOGETHER = 8;

  private Continuations() {}

  /**
   * Share of the questions of a domain that the model answers rightly.
   *
   * @param blocks one question each, at least 30
   */
  static double accuracy(Trainer trainer, List<TokenBlock> blocks, ModelSize size) {
    int right = 0;
    for (int from = 0; from < blocks.size(); from += TOGETHER) {
      List<TokenBlock> choices = new ArrayList<>();
      for (int i = from; i < Math.min(blocks.size(), from + TOGETHER); i++) {
        choices.add(joined(blocks.get(i), blocks.get(i)));
        for (int other : OTHERS) {
          choices.add(joined(blocks.get(i), blocks.get((i + other) % blocks.size())));
        }
      }
      right += right(losses(trainer, choices, size));
    }
    return (double) right / blocks.size();
  }

  /** How many of the questions have their first choice as the least loss. */
  private static int right(double[] losses) {
    int right = 0;
    for (int first = 0; first < losses.length; first += CHOICES) {
      boolean least = true;
      for (int i = first + 1; i < first + CHOICES; i++) {
        least &= losses[first] < losses[i];
      }
      right += least ? 1 : 0;
    }
    return right;
  }

  /** Losses of rows, each the sum over the labels that count in it. */
  static double[] losses(Trainer trainer, List<TokenBlock> rows, ModelSize size) {
    BlockBatch choices = BlockBatch.of(rows, size, false);
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly();
        NDManager scope = trainer.getManager().newSubManager()) {
      NDList targets = choices.targets(scope);
      NDArray logits = trainer.evaluate(choices.data(scope)).singletonOrThrow();
      return TokenLoss.rowSums(TokenLoss.perToken(targets, logits));
    }
  }

  /** The first half of a block and the second of another, whose labels alone count. */
  private static TokenBlock joined(TokenBlock first, TokenBlock second) {
    int[] ids = Tokens.of(first);
    int[] others = Tokens.of(second);
    int half = ids.length / 2;
    ByteBuffer bytes = ByteBuffer.allocate(4 * ids.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < ids.length; i++) {
      bytes.putInt(i < half ? ids[i] : others[i]);
    }
    int counted = ids.length - half;
    return TokenBlock.newBuilder(first)
        .setTokenWidth(4)
        .setTokens(bytes.flip())
        .setTrainedTokens(counted)
        .setLossMask(List.of(0, half - 1, counted))
        .build();
  }
}
