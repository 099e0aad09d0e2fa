package io.sluice.djl.measure;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.nn.Block;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.training.Trainer;
import io.sluice.djl.data.BlockBatch;
import io.sluice.djl.model.LeafParameters;
import io.sluice.djl.model.TokenLoss;
import io.sluice.djl.model.TorchRuntime;
import java.util.List;

/**
 * The gradient of one batch's mean token loss with respect to every trained parameter, in arrays of
 * its own. Memory: one gradient, until it is closed.
 */
public final class ProbeGradient implements AutoCloseable {
  private final NDManager scope;
  private final List<NDArray> arrays;

  private ProbeGradient(NDManager scope, List<NDArray> arrays) {
    this.scope = scope;
    this.arrays = arrays;
  }

  /**
   * Runs the model forward, without dropout, and backward over a batch.
   *
   * @param parts micro-batches with at least one trained token
   */
  public static ProbeGradient of(Trainer trainer, List<BlockBatch> parts) {
    NDManager scope = trainer.getManager().newSubManager();
    try {
      long tokens = parts.stream().mapToLong(BlockBatch::trainedTokens).sum();
      Block model = trainer.getModel().getBlock();
      LeafParameters leaves = new LeafParameters(model, scope);
      try (TorchRuntime.GradMode on = TorchRuntime.recording()) {
        parts.forEach(part -> backward(model, leaves, part, tokens));
      }
      return new ProbeGradient(scope, leaves.gradients());
    } catch (RuntimeException | Error e) {
      scope.close();
      throw e;
    }
  }

  /** DJL's gradient collector is one for the process, and a training may have it. */
  private static void backward(Block model, LeafParameters leaves, BlockBatch part, long tokens) {
    try (NDManager step = leaves.getManager().newSubManager()) {
      NDList targets = part.targets(step);
      NDArray logits = model.forward(leaves, part.data(step), false).singletonOrThrow();
      NDArray loss = TokenLoss.mean(TokenLoss.perToken(targets, logits), tokens);
      NDArray one = step.ones(loss.getShape(), loss.getDataType());
      JniUtils.backward((PtNDArray) loss, (PtNDArray) one, false, false);
    }
  }

  /** The dot product with the gradient of another batch, over all parameters. */
  public double dot(ProbeGradient other) {
    try (NDManager products = scope.newSubManager()) {
      NDList sums = new NDList(arrays.size());
      for (int i = 0; i < arrays.size(); i++) {
        try (NDArray product = arrays.get(i).mul(other.arrays.get(i))) {
          NDArray sum = product.sum();
          sum.attach(products);
          sums.add(sum);
        }
      }
      NDArray all = NDArrays.stack(sums);
      all.attach(products);
      NDArray exact = all.toType(DataType.FLOAT64, false);
      return exact.sum().getDouble();
    }
  }

  /** The norm over all parameters. */
  public double norm() {
    return Math.sqrt(dot(this));
  }

  @Override
  public void close() {
    scope.close();
  }
}
