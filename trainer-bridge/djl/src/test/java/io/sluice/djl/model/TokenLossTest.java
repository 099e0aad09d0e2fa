package io.sluice.djl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TokenLossTest {
  private final NDManager manager = TorchRuntime.start(0).newBaseManager();

  @AfterEach
  void close() {
    manager.close();
  }

  @Test
  void isTheNegativeLogarithmOfTheLabelsProbability() {
    // Probabilities 1/4 and 3/4 in both rows.
    float ln3 = (float) Math.log(3);
    NDArray logits = manager.create(new float[] {0, ln3, 5, 5 + ln3}, new Shape(1, 2, 2));
    NDList labels = labels(new long[] {0, 1}, new float[] {1, 1});
    double expected = Math.log(4) + Math.log(4.0 / 3);
    TokenSum sum = TokenLoss.sum(labels, TokenLoss.perToken(labels, logits));
    assertThat(sum.sum()).isCloseTo(expected, offset(1e-6));
    assertThat(sum.count()).isEqualTo(2);
    assertThat((double) new TokenLoss().evaluate(labels, new NDList(logits)).getFloat())
        .isCloseTo(expected / 2, offset(1e-6));
  }

  @Test
  void leavesOutWhatIsNotTrained() {
    float ln3 = (float) Math.log(3);
    NDArray logits = manager.create(new float[] {0, ln3, 0, ln3}, new Shape(1, 2, 2));
    NDList labels = labels(new long[] {0, 1}, new float[] {0, 1});
    TokenSum sum = TokenLoss.sum(labels, TokenLoss.perToken(labels, logits));
    assertThat(sum.sum()).isCloseTo(Math.log(4.0 / 3), offset(1e-6));
    assertThat(sum.count()).isEqualTo(1);
    NDList nothing = labels(new long[] {0, 1}, new float[] {0, 0});
    assertThat(new TokenLoss().evaluate(nothing, new NDList(logits)).getFloat()).isZero();
  }

  @Test
  void staysFiniteWithHugeLogits() {
    NDArray logits = manager.create(new float[] {1e30f, 0, -1e30f, 0}, new Shape(1, 2, 2));
    NDList labels = labels(new long[] {0, 1}, new float[] {1, 1});
    assertThat(TokenLoss.sum(labels, TokenLoss.perToken(labels, logits)))
        .isEqualTo(new TokenSum(0, 2));
  }

  @Test
  void sumsMergeAndHaveAMean() {
    TokenSum both = new TokenSum(6, 2).plus(new TokenSum(3, 4));
    assertThat(both).isEqualTo(new TokenSum(9, 6));
    assertThat(both.mean()).isEqualTo(1.5);
    assertThat(TokenSum.NONE.mean()).isZero();
  }

  private NDList labels(long[] ids, float[] weights) {
    Shape shape = new Shape(1, 2);
    return new NDList(manager.create(ids, shape), manager.create(weights, shape));
  }
}
