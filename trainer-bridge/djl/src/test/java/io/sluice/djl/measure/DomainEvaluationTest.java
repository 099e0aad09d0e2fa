package io.sluice.djl.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.sluice.client.block.Tokens;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TestingModels;
import io.sluice.djl.model.TokenSum;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DomainEvaluationTest {
  private static final ModelSize SIZE = new ModelSize(2, 16, 2, 32, 8);

  private final TrainingLoop loop =
      new TrainingLoop(SIZE, TrainerSettings.builder(1).seed(9).build());
  private final Map<String, List<TokenBlock>> heldOut = new LinkedHashMap<>();

  DomainEvaluationTest() {
    Random random = new Random(2);
    heldOut.put("wiki", new ArrayList<>());
    for (int i = 0; i < 5; i++) {
      heldOut.get("wiki").add(TestingBlocks.random("wiki", random, SIZE));
    }
    heldOut.put(
        "code",
        List.of(
            TestingBlocks.packed(
                "code", List.of(4, 5), List.of(3, 1, 4), 1, 2, 3, 4, 5, 6, 7, 8, 9)));
  }

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void sumsAndCountsAreThoseOfEveryTokenTakenAlone() {
    Map<String, TokenSum> losses = evaluation(2).evaluate(loop.trainer());
    assertThat(losses.keySet()).containsExactly("wiki", "code");
    heldOut.forEach(
        (domain, blocks) -> {
          TokenSum expected = TokenSum.NONE;
          for (TokenBlock block : blocks) {
            expected = expected.plus(bruteForce(block));
          }
          assertThat(losses.get(domain).count()).isEqualTo(expected.count());
          assertThat(losses.get(domain).sum()).isCloseTo(expected.sum(), offset(1e-4));
        });
    assertThat(losses.get("wiki").count()).isEqualTo(40);
    assertThat(losses.get("code").count()).isEqualTo(7);
  }

  @Test
  void leavesTheModelAndItsTrainingAsTheyWere() {
    List<TokenBlock> blocks = TestingBlocks.repetitive(4, SIZE);
    TrainerSettings settings = TrainerSettings.builder(1).seed(9).build();
    try (TrainingLoop undisturbed = new TrainingLoop(SIZE, settings)) {
      for (int step = 0; step < 3; step++) {
        float[] before = embedding(loop);
        evaluation(3).evaluate(loop.trainer());
        assertThat(embedding(loop)).isEqualTo(before);
        assertThat(loop.step(blocks)).isEqualTo(undisturbed.step(blocks));
      }
      assertThat(embedding(loop)).isEqualTo(embedding(undisturbed));
    }
  }

  @Test
  void refusesALossThatIsNotFinite() {
    TestingModels.spoil(loop);
    assertThatExceptionOfType(DivergedException.class)
        .isThrownBy(() -> evaluation(8).evaluate(loop.trainer()))
        .withMessage(
            "held-out loss of domain wiki must be finite, it was not published: NaN over 40"
                + " tokens");
  }

  @Test
  void refusesADomainWithoutTrainedTokens() {
    heldOut.put("empty", List.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> evaluation(1))
        .withMessageStartingWith(
            "domain empty must have held-out blocks with trained tokens to be evaluated: 0 blocks");
    heldOut.clear();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> evaluation(1))
        .withMessage("an evaluation needs at least 1 domain: 0");
  }

  private DomainEvaluation evaluation(int microBatch) {
    return new DomainEvaluation(heldOut, SIZE, microBatch, true);
  }

  private static float[] embedding(TrainingLoop loop) {
    return loop.parameters().get("tokenEmbedding").toFloatArray();
  }

  /** Softmax and logarithm of one block's logits in Java's doubles. */
  private TokenSum bruteForce(TokenBlock block) {
    float[] logits = logits(block);
    int[] tokens = Tokens.of(block);
    boolean[] trained = Tokens.trained(block);
    TokenSum sum = TokenSum.NONE;
    for (int i = 0; i < trained.length; i++) {
      double total = 0;
      for (int v = 0; v < SIZE.vocabulary(); v++) {
        total += Math.exp(logits[i * SIZE.vocabulary() + v]);
      }
      double loss = Math.log(total) - logits[i * SIZE.vocabulary() + tokens[i + 1]];
      sum = trained[i] ? sum.plus(new TokenSum(loss, 1)) : sum;
    }
    return sum;
  }

  private float[] logits(TokenBlock block) {
    try (NDManager scope = loop.trainer().getManager().newSubManager();
        TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      BlockBatch one = BlockBatch.of(List.of(block), SIZE, true);
      NDArray logits = loop.trainer().evaluate(one.data(scope)).singletonOrThrow();
      return logits.toFloatArray();
    }
  }
}
