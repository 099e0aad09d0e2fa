package io.sluice.mixture.simulate.scenario;

import java.util.Arrays;

/** The sum of squared errors' gradients of a linear model over samples. */
final class Gradient {
  private final double[] sum;

  Gradient(int parameters) {
    sum = new double[parameters];
  }

  void clear() {
    Arrays.fill(sum, 0);
  }

  double at(int parameter) {
    return sum[parameter];
  }

  double inner(double[] other) {
    return inner(sum, other);
  }

  void add(float[] input, double label, double[] parameters) {
    double residual = SampledData.dot(input, parameters) - label;
    for (int x = 0; x < sum.length; x++) {
      sum[x] += residual * input[x];
    }
  }

  /** Its mean over a batch, of norm 1 at most. */
  double[] clipped(int batch) {
    double norm = Math.sqrt(inner(sum, sum)) / batch;
    double scale = 1 / (batch * Math.max(1, norm));
    return Arrays.stream(sum).map(value -> scale * value).toArray();
  }

  static double inner(double[] one, double[] other) {
    double product = 0;
    for (int x = 0; x < one.length; x++) {
      product += one[x] * other[x];
    }
    return product;
  }
}
