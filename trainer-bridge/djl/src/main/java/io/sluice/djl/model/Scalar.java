package io.sluice.djl.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;

/**
 * A number as an array that a gradient may go through.
 *
 * <p>{@code array.mul(2)} wraps the number in a buffer of Java's and forgets it at once. PyTorch
 * keeps the wrapper for the backward pass, but not the buffer: once the garbage collector has taken
 * it, the gradient is scaled by whatever lies there then. An array of PyTorch's own stays as long
 * as it is needed.
 */
final class Scalar {
  private Scalar() {}

  /** The number, float32, of no dimension. */
  static NDArray of(NDManager manager, double value) {
    return manager.full(new Shape(), (float) value, DataType.FLOAT32);
  }
}
