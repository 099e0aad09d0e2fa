package io.sluice.mixture.simulate.scenario;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A linear model that stochastic gradient descent trains on a finite sample of every domain, so
 * that over-fitting, alignments that fade as a sample is memorised, the noise of mini-batches and
 * what one domain undoes of another follow from the data instead of a law.
 *
 * <p>Domain i draws inputs x of independent Gaussians with variances s_i and labels {@code c_i · x}
 * plus noise of variance 1, so that the loss of parameters θ on fresh data, in nats, is
 *
 * <pre>
 *   floor_i + ½ Σ_x s_i[x] (θ[x] − c_i[x])²
 * </pre>
 *
 * <p>Variances that fall by a power law give losses that fall by one. Part of them is in the same
 * inputs for all domains and the rest in inputs of the domain's own, and part of c_i is the
 * domain's own: training on one domain helps the others and disturbs them. Alignments are measured
 * as algorithm 1 of dynamic gradient alignment does: one batch of each domain's own sample, one
 * fresh batch of the target's, both gradients clipped to norm 1.
 */
final class SampledModel implements Learners {
  private final Scenario scenario;
  private final SampledData data;
  private final SplittableRandom random;
  private final double[] parameters;
  private final Gradient gradient;
  private final double[] due;
  private final int[] position;
  private final int[][] order;

  SampledModel(Scenario scenario, Model.Sampled model, long seed) {
    this(scenario, SampledData.drawn(scenario, model, seed));
  }

  private SampledModel(Scenario scenario, SampledData data) {
    int k = scenario.domains().size();
    this.scenario = scenario;
    this.data = data;
    this.random = new SplittableRandom(data.seed());
    this.parameters = new double[data.truths()[0].length];
    this.gradient = new Gradient(parameters.length);
    this.due = random.doubles(k).toArray();
    this.position = new int[k];
    this.order = new int[k][];
    Arrays.setAll(order, i -> SampledData.shuffled(data.labels()[i].length, random));
  }

  @Override
  public Learners untrained() {
    return new SampledModel(scenario, data);
  }

  @Override
  public void train(double[] batches) {
    int steps =
        (int) Math.max(1, Math.round(Arrays.stream(batches).sum() / scenario.tokensPerBatch()));
    for (int step = 0; step < steps; step++) {
      descend(batches, steps);
    }
  }

  /**
   * One step on a part of the batches: the samples whose tokens are due, in order, over and over.
   */
  private void descend(double[] batches, int parts) {
    gradient.clear();
    double expected = 0;
    for (int i = 0; i < batches.length; i++) {
      double share = batches[i] / parts / scenario.learners().get(i).tokens() * order[i].length;
      expected += share;
      for (due[i] += share; due[i] >= 1; due[i]--) {
        addGradient(i, next(i));
      }
    }
    for (int x = 0; x < parameters.length; x++) {
      parameters[x] -= data.step() / expected * gradient.at(x);
    }
  }

  private int next(int domain) {
    if (position[domain] == order[domain].length) {
      order[domain] = SampledData.shuffled(order[domain].length, random);
      position[domain] = 0;
    }
    return order[domain][position[domain]++];
  }

  private void addGradient(int domain, int sample) {
    gradient.add(data.inputs()[domain][sample], data.labels()[domain][sample], parameters);
  }

  @Override
  public double loss(int domain) {
    double squares = 0;
    for (int x = 0; x < parameters.length; x++) {
      double gap = parameters[x] - data.truths()[domain][x];
      squares += data.variances()[domain][x] * gap * gap;
    }
    return scenario.learners().get(domain).law().floor() + squares / 2;
  }

  /** Of whole samples, and of the target as it is. */
  @Override
  public double[] benefits() {
    double[] target = new double[parameters.length];
    for (int i = 0; i < due.length; i++) {
      double share = scenario.objective()[i];
      for (int x = 0; share > 0 && x < target.length; x++) {
        target[x] += share * data.variances()[i][x] * (parameters[x] - data.truths()[i][x]);
      }
    }
    double[] benefits = new double[due.length];
    for (int i = 0; i < benefits.length; i++) {
      gradient.clear();
      for (int n = 0; n < order[i].length; n++) {
        addGradient(i, n);
      }
      benefits[i] = gradient.inner(target) / order[i].length;
    }
    return benefits;
  }

  @Override
  public double[] alignments() {
    int batch = samplesInBatch();
    gradient.clear();
    for (int n = 0; n < batch; n++) {
      addFresh(drawn(scenario.objective()));
    }
    double[] target = gradient.clipped(batch);
    double[] alignments = new double[due.length];
    Arrays.setAll(alignments, i -> Gradient.inner(probed(i, batch), target));
    return alignments;
  }

  /** Of a batch of the domain's own sample. */
  private double[] probed(int domain, int batch) {
    gradient.clear();
    for (int n = 0; n < batch; n++) {
      addGradient(domain, random.nextInt(order[domain].length));
    }
    return gradient.clipped(batch);
  }

  @Override
  public double[][] products(boolean heldOut) {
    int batch = samplesInBatch();
    double[][] own = new double[due.length][];
    Arrays.setAll(own, i -> probed(i, batch));
    double[][] first = own;
    if (heldOut) {
      first = new double[due.length][];
      Arrays.setAll(first, i -> fresh(i, batch));
    }
    double[][] products = new double[due.length][due.length];
    for (int i = 0; i < products.length; i++) {
      for (int j = 0; j < products.length; j++) {
        products[i][j] = Gradient.inner(first[i], own[j]);
      }
    }
    return products;
  }

  /** Of a batch that nobody trains on. */
  private double[] fresh(int domain, int batch) {
    gradient.clear();
    for (int n = 0; n < batch; n++) {
      addFresh(domain);
    }
    return gradient.clipped(batch);
  }

  private void addFresh(int domain) {
    float[] input = SampledData.input(data.variances()[domain], random);
    gradient.add(
        input, SampledData.dot(input, data.truths()[domain]) + random.nextGaussian(), parameters);
  }

  @Override
  public boolean isCostly() {
    return true;
  }

  private int samplesInBatch() {
    double tokens = scenario.learners().get(0).tokens();
    return (int) Math.max(1, Math.round(scenario.tokensPerBatch() / tokens * order[0].length));
  }

  private int drawn(double[] shares) {
    double left = random.nextDouble();
    int domain = shares.length - 1;
    for (int i = 0; i < shares.length && left >= 0; i++) {
      left -= shares[i];
      domain = left < 0 ? i : domain;
    }
    return domain;
  }
}
