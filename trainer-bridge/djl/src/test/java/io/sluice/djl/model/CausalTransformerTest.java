package io.sluice.djl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import ai.djl.ndarray.NDManager;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import io.sluice.schema.TokenBlock;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CausalTransformerTest {
  private static final ModelSize SIZE = new ModelSize(2, 16, 4, 32, 8);
  private static final TrainerSettings SETTINGS = TrainerSettings.builder(1).build();

  private final TrainingLoop loop = new TrainingLoop(SIZE, SETTINGS);

  CausalTransformerTest() {
    // Initial attention is close to uniform; larger weights make every dependency visible.
    TestingModels.scale(loop, 4);
  }

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void aTokenNeverChangesEarlierLogits() {
    int[] tokens = new Random(1).ints(9, 0, 32).toArray();
    float[] before = logits(TestingBlocks.block("a", tokens), true);
    for (int changed = 1; changed < 8; changed++) {
      int[] other = tokens.clone();
      other[changed] = (tokens[changed] + 1) % 32;
      float[] after = logits(TestingBlocks.block("a", other), true);
      assertThat(rows(after, 0, changed)).isEqualTo(rows(before, 0, changed));
      assertThat(rows(after, 7, 8)).isNotEqualTo(rows(before, 7, 8));
    }
  }

  @Test
  void documentsOfOneBlockDoNotSeeEachOther() {
    TokenBlock block = packed(1, 2, 3, 4, 5, 6, 7, 8, 9);
    TokenBlock otherStart = packed(31, 30, 29, 4, 5, 6, 7, 8, 9);
    assertThat(rows(logits(otherStart, true), 3, 8)).isEqualTo(rows(logits(block, true), 3, 8));
    assertThat(rows(logits(otherStart, false), 3, 8))
        .isNotEqualTo(rows(logits(block, false), 3, 8));
  }

  @Test
  void aPackedDocumentReadsAsIfItWereAlone() {
    float[] packed = rows(logits(packed(1, 2, 3, 4, 5, 6, 7, 8, 9), true), 3, 8);
    float[] alone = rows(logits(TestingBlocks.block("a", 4, 5, 6, 7, 8, 9), true), 0, 5);
    assertThat(alone).hasSameSizeAs(packed);
    for (int i = 0; i < packed.length; i++) {
      assertThat(packed[i]).isCloseTo(alone[i], offset(1e-5f));
    }
  }

  @Test
  void initialParametersFollowFromTheSeed() {
    assertThat(initialEmbedding(5)).isEqualTo(initialEmbedding(5));
    assertThat(initialEmbedding(6)).isNotEqualTo(initialEmbedding(5));
  }

  private static float[] initialEmbedding(long seed) {
    TrainerSettings seeded = TrainerSettings.builder(1).seed(seed).build();
    try (TrainingLoop other = new TrainingLoop(SIZE, seeded)) {
      return other.parameters().get("tokenEmbedding").toFloatArray();
    }
  }

  private static TokenBlock packed(int... tokens) {
    return TestingBlocks.packed("a", List.of(3, 6), null, tokens);
  }

  private float[] logits(TokenBlock block, boolean documentMask) {
    try (NDManager scope = loop.trainer().getManager().newSubManager();
        TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      BlockBatch batch = BlockBatch.of(List.of(block), SIZE, documentMask);
      return loop.trainer().evaluate(batch.data(scope)).singletonOrThrow().toFloatArray();
    }
  }

  private static float[] rows(float[] logits, int from, int to) {
    return Arrays.copyOfRange(logits, from * 32, to * 32);
  }
}
