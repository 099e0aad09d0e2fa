package io.sluice.djl.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.djl.model.ModelSize;
import io.sluice.schema.TokenBlock;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BlockBatchTest {
  private static final ModelSize SIZE = new ModelSize(1, 8, 2, 32, 4);

  @Test
  void labelsAreTheTokensOneLater() {
    TokenBlock first = TestingBlocks.block("a", 10, 11, 12, 13, 14);
    TokenBlock second = TestingBlocks.block("b", 20, 21, 22, 23, 24);
    BlockBatch batch = BlockBatch.of(List.of(first, second), SIZE, true);
    assertThat(batch.rows()).isEqualTo(2);
    assertThat(batch.columns()).isEqualTo(4);
    assertThat(batch.tokens()).containsExactly(10, 11, 12, 13, 20, 21, 22, 23);
    assertThat(batch.labels()).containsExactly(11, 12, 13, 14, 21, 22, 23, 24);
    assertThat(batch.trainedTokens()).isEqualTo(8);
  }

  @Test
  void lossMaskBecomesWeights() {
    TokenBlock block = TestingBlocks.packed("a", List.of(5), List.of(1, 2, 1), 1, 2, 3, 4, 5);
    BlockBatch batch = BlockBatch.of(List.of(block), SIZE, true);
    assertThat(batch.weights()).containsExactly(1, 0, 0, 1);
    assertThat(batch.trainedTokens()).isEqualTo(2);
  }

  @Test
  void positionsAndSegmentsStartAnewWithEachDocument() {
    TokenBlock block = TestingBlocks.packed("a", List.of(3, 2), null, 1, 2, 3, 4, 5);
    BlockBatch masked = BlockBatch.of(List.of(block), SIZE, true);
    assertThat(masked.positions()).containsExactly(0, 1, 2, 0);
    assertThat(masked.segments()).containsExactly(0, 0, 0, 1);
    BlockBatch open = BlockBatch.of(List.of(block), SIZE, false);
    assertThat(open.positions()).containsExactly(0, 1, 2, 3);
    assertThat(open.segments()).containsExactly(0, 0, 0, 0);
  }

  @Test
  void refusesWhatTheModelCannotRead() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(TestingBlocks.block("a", 1, 2, 99, 4)))
        .withMessage(
            "token 2 of block 7 of domain a must be in [0, 32), the model's vocabulary: 99");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(TestingBlocks.block("a", 1, 2, 3, 4, 5, 6)))
        .withMessage("a block must have 1 to 4 labels, the model's sequence length: 5");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> of(TestingBlocks.block("a", 1, 2, 3, 4), TestingBlocks.block("a", 1, 2, 3)))
        .withMessage("block 7 of domain a must have 4 tokens as the first: 3");
    assertThatIllegalArgumentException()
        .isThrownBy(BlockBatchTest::of)
        .withMessage("a batch needs at least 1 block: 0");
  }

  private static BlockBatch of(TokenBlock... blocks) {
    return BlockBatch.of(List.of(blocks), SIZE, true);
  }
}
