package io.sluice.djl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Parameter;
import ai.djl.training.GradientCollector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ClippedAdamWTest {
  private static final ModelSize SIZE = new ModelSize(1, 4, 1, 8, 4);
  private static final float RATE = 0.01f;

  private final NDManager manager = TorchRuntime.start(0).newBaseManager();
  private final CausalTransformer block = new CausalTransformer(SIZE, 1);
  private final ClippedAdamW optimizer;

  ClippedAdamWTest() {
    Shape input = new Shape(1, 4);
    block.initialize(manager, DataType.FLOAT32, input, input, input);
    optimizer = new ClippedAdamW(block, manager, 0.5f, 1);
  }

  @AfterEach
  void close() {
    optimizer.close();
    manager.close();
  }

  @Test
  void followsTheEquationOfAdamWForTwoSteps() {
    Parameter gamma = block.getParameters().get("normGamma");
    double expected = 1;
    double mean = 0;
    double variance = 0;
    double[] gradients = {0.25, -0.125};
    for (int t = 1; t <= 2; t++) {
      double g = gradients[t - 1];
      assertThat((double) step(gamma, g, RATE)).isCloseTo(2 * Math.abs(g), offset(1e-6));
      mean = 0.9 * mean + 0.1 * g;
      variance = 0.95 * variance + 0.05 * g * g;
      double meanHat = mean / (1 - Math.pow(0.9, t));
      double varianceHat = variance / (1 - Math.pow(0.95, t));
      expected -= RATE * meanHat / Math.sqrt(varianceHat);
      assertThat((double) gamma.getArray().getFloat(0)).isCloseTo(expected, offset(1e-6));
    }
    assertThat(optimizer.steps()).isEqualTo(2);
  }

  @Test
  void scalesTheGradientDownToTheLargestNorm() {
    Parameter gamma = block.getParameters().get("normGamma");
    assertThat((double) step(gamma, 50, RATE)).isCloseTo(100, offset(1e-4));
    // Norm 1 over four equal entries: 1/2 each.
    float mean = optimizer.state().get("normGamma.mean").getFloat(0);
    assertThat((double) mean).isCloseTo(0.1 * 0.5, offset(1e-6));
  }

  @Test
  void decaysMatricesOnly() {
    Parameter embedding = block.getParameters().get("tokenEmbedding");
    double before = embedding.getArray().getFloat(0, 0);
    step(embedding, 0, RATE);
    assertThat((double) embedding.getArray().getFloat(0, 0))
        .isCloseTo(before * (1 - RATE * 0.5), offset(1e-7));
    Parameter gamma = block.getParameters().get("normGamma");
    step(gamma, 0, RATE);
    assertThat(gamma.getArray().getFloat(0)).isEqualTo(1);
  }

  @Test
  void refusesAParameterOfAnotherModel() {
    NDArray array = manager.ones(new Shape(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> optimizer.update("other", array, array))
        .withMessage("not a parameter of this model: other");
  }

  /** One step in which each entry of the parameter has this gradient. */
  private float step(Parameter parameter, double gradient, float rate) {
    NDArray value = parameter.getArray();
    try (TorchRuntime.GradMode off = TorchRuntime.forwardOnly()) {
      try (GradientCollector collector = manager.getEngine().newGradientCollector()) {
        collector.backward(value.mul(Scalar.of(manager, gradient)).sum());
      }
      float norm = optimizer.prepare(rate);
      try (NDArray own = value.getGradient()) {
        optimizer.update(parameter.getId(), value, own.duplicate());
      }
      return norm;
    }
  }
}
