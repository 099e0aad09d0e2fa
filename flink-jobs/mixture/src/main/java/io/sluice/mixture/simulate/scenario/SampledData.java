package io.sluice.mixture.simulate.scenario;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The samples of a {@link SampledModel}, and what they are samples of.
 *
 * @param seed that they were drawn with
 * @param variances of each domain's inputs
 * @param truths parameters that each domain's labels come from
 * @param inputs of each domain's samples
 * @param labels of each domain's samples
 * @param step of the optimizer
 */
record SampledData(
    long seed,
    double[][] variances,
    double[][] truths,
    float[][][] inputs,
    float[][] labels,
    double step) {
  private static final long KEY = 0x5a3b;

  /** What a scenario trains on; the same seed draws the same. */
  static SampledData drawn(Scenario scenario, Model.Sampled model, long seed) {
    int k = scenario.domains().size();
    SplittableRandom random = new SplittableRandom(seed ^ KEY);
    double[] spectrum = spectrum(model);
    double[] common = permuted(spectrum, random);
    double[] truth = gaussians(model.parameters(), random);
    double[][] variances = new double[k][];
    double[][] truths = new double[k][];
    float[][][] inputs = new float[k][model.samples()][];
    float[][] labels = new float[k][model.samples()];
    double scale = Math.sqrt(2 * model.reducible());
    for (int i = 0; i < k; i++) {
      variances[i] = sum(model.common(), common, 1 - model.common(), permuted(spectrum, random));
      double[] own = gaussians(model.parameters(), random);
      double agreed = scale * Math.sqrt(1 - model.conflict());
      truths[i] = sum(agreed, truth, scale * Math.sqrt(model.conflict()), own);
      for (int n = 0; n < model.samples(); n++) {
        inputs[i][n] = input(variances[i], random);
        labels[i][n] = (float) (dot(inputs[i][n], truths[i]) + random.nextGaussian());
      }
    }
    double batch =
        scenario.tokensPerBatch() * model.samples() / scenario.learners().get(0).tokens();
    double step = model.step() * largestStableStep(variances, batch);
    return new SampledData(seed, variances, truths, inputs, labels, step);
  }

  /** Of gradient descent on batches of Gaussian inputs whose variances sum to 1. */
  private static double largestStableStep(double[][] variances, double batch) {
    double greatest =
        Arrays.stream(variances)
            .mapToDouble(of -> Arrays.stream(of).max().orElseThrow())
            .average()
            .orElseThrow();
    return 2 * batch / (1 + (batch + 1) * greatest);
  }

  private static double[] spectrum(Model.Sampled model) {
    double[] spectrum = new double[model.parameters()];
    Arrays.setAll(spectrum, x -> Math.pow(x + 1, -model.decay()));
    double sum = Arrays.stream(spectrum).sum();
    return Arrays.stream(spectrum).map(variance -> variance / sum).toArray();
  }

  private static double[] permuted(double[] values, SplittableRandom random) {
    return Arrays.stream(shuffled(values.length, random)).mapToDouble(x -> values[x]).toArray();
  }

  /** The numbers below {@code size} in any order. */
  static int[] shuffled(int size, SplittableRandom random) {
    int[] places = new int[size];
    Arrays.setAll(places, n -> n);
    for (int n = size - 1; n > 0; n--) {
      int other = random.nextInt(n + 1);
      int place = places[n];
      places[n] = places[other];
      places[other] = place;
    }
    return places;
  }

  private static double[] sum(double a, double[] one, double b, double[] other) {
    double[] sum = new double[one.length];
    Arrays.setAll(sum, x -> a * one[x] + b * other[x]);
    return sum;
  }

  private static double[] gaussians(int count, SplittableRandom random) {
    double[] gaussians = new double[count];
    Arrays.setAll(gaussians, x -> random.nextGaussian());
    return gaussians;
  }

  /** A fresh input of a domain whose inputs have these variances. */
  static float[] input(double[] variances, SplittableRandom random) {
    float[] input = new float[variances.length];
    for (int x = 0; x < input.length; x++) {
      input[x] = (float) (Math.sqrt(variances[x]) * random.nextGaussian());
    }
    return input;
  }

  /**
   * What parameters say of an input: four sums at a time, which take a third of the time of one.
   */
  static double dot(float[] input, double[] parameters) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int x = 0;
    for (; x + 3 < input.length; x += 4) {
      a += input[x] * parameters[x];
      b += input[x + 1] * parameters[x + 1];
      c += input[x + 2] * parameters[x + 2];
      d += input[x + 3] * parameters[x + 3];
    }
    for (; x < input.length; x++) {
      a += input[x] * parameters[x];
    }
    return a + b + (c + d);
  }
}
