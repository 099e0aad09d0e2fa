package io.sluice.djl.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.initializer.Initializer;
import java.util.random.RandomGenerator;

/**
 * A normal distribution around zero whose numbers come from a generator of its own.
 *
 * <p>The engine's generator is one for the whole process: with it, the first model's numbers would
 * depend on whatever else drew from it.
 */
record SeededNormal(RandomGenerator random, float deviation) implements Initializer {
  @Override
  public NDArray initialize(NDManager manager, Shape shape, DataType dataType) {
    float[] values = new float[Math.toIntExact(shape.size())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * deviation);
    }
    // Arrays made from Java's memory lie where it lies. PyTorch's own are aligned: sums, and so the
    // losses of equal trainings, do not depend on the place.
    try (NDArray drawn = manager.create(values, shape)) {
      return drawn.duplicate().toType(dataType, false);
    }
  }
}
