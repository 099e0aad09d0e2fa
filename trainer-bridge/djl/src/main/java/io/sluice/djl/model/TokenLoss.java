package io.sluice.djl.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.loss.Loss;

/**
 * Cross-entropy over tokens, in nats: −Σ weight · log softmax(logits)[label].
 *
 * <p>Labels are a list of label ids, int64 [B, L], and loss weights, float32 [B, L]; predictions
 * are logits, float32 [B, L, vocabulary]. The logarithm of the softmax is taken in one stable
 * kernel, so no logit overflows.
 */
public final class TokenLoss extends Loss {
  /** The loss under the name DJL's evaluators report it by. */
  public TokenLoss() {
    super("TokenLoss");
  }

  /** The mean over the trained tokens, a scalar; 0 when no token is trained. */
  @Override
  public NDArray evaluate(NDList labels, NDList predictions) {
    NDArray weights = labels.get(1);
    NDArray count = weights.sum().maximum(1);
    return perToken(labels, predictions.singletonOrThrow()).sum().div(count);
  }

  /** The loss of every token, float32 [B, L]; 0 where the weight is 0. */
  public static NDArray perToken(NDList labels, NDArray logits) {
    NDArray ids = labels.head();
    NDArray logProbabilities = logits.logSoftmax(-1);
    NDArray chosen = logProbabilities.gather(ids.expandDims(2), 2).squeeze(2);
    return chosen.mul(labels.get(1)).neg();
  }

  /** The mean over so many tokens, a scalar that gradients may start from. */
  public static NDArray mean(NDArray perToken, long tokens) {
    return perToken.sum().div(Scalar.of(perToken.getManager(), (double) tokens));
  }

  /**
   * Sum of each row, in float64.
   *
   * @param perToken what {@link #perToken} gave
   */
  public static double[] rowSums(NDArray perToken) {
    return perToken.toType(DataType.FLOAT64, false).sum(new int[] {1}).toDoubleArray();
  }

  /**
   * Sum over all tokens and how many are trained, added up in float64.
   *
   * @param perToken what {@link #perToken} gave
   */
  public static TokenSum sum(NDList labels, NDArray perToken) {
    double sum = perToken.toType(DataType.FLOAT64, false).sum().getDouble();
    double count = labels.get(1).toType(DataType.FLOAT64, false).sum().getDouble();
    return new TokenSum(sum, Math.round(count));
  }
}
