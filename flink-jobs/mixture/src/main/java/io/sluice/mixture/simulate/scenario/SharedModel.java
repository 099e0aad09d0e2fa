package io.sluice.mixture.simulate.scenario;

import java.util.Arrays;

/**
 * A model whose parameters all domains share: the loss of domain i is {@code floor_i + ½|θ −
 * c_i|²}, so that training on a mixture leads to the mixture of the centres c_i. Where the target
 * is a mixture of the domains, that mixture is the best one to train on (theorem 1 of dynamic
 * gradient alignment), and it is the only one if the centres are affinely independent.
 */
final class SharedModel implements Learners {
  private final Scenario scenario;
  private final Model.Shared model;
  private final double[] goal;
  private final double[] parameters;

  SharedModel(Scenario scenario, Model.Shared model) {
    this.scenario = scenario;
    this.model = model;
    this.goal = mixed(scenario.objective());
    this.parameters = new double[goal.length];
    Arrays.fill(parameters, model.beginning());
  }

  @Override
  public Learners untrained() {
    return new SharedModel(scenario, model);
  }

  private double[] mixed(double[] shares) {
    double[] sum = new double[model.centres()[0].length];
    for (int i = 0; i < shares.length; i++) {
      for (int x = 0; x < sum.length; x++) {
        sum[x] += shares[i] * model.centres()[i][x];
      }
    }
    return sum;
  }

  @Override
  public void train(double[] batches) {
    double all = Arrays.stream(batches).sum();
    double[] pull = mixed(batches);
    double left = Math.exp(-model.rate() * all);
    for (int x = 0; x < pull.length; x++) {
      parameters[x] = left * parameters[x] + (1 - left) * pull[x] / all;
    }
  }

  @Override
  public double loss(int domain) {
    double squares = 0;
    for (int x = 0; x < parameters.length; x++) {
      double gap = parameters[x] - model.centres()[domain][x];
      squares += gap * gap;
    }
    return scenario.learners().get(domain).law().floor() + squares / 2;
  }

  @Override
  public double[] benefits() {
    return alignments();
  }

  @Override
  public double[][] products(boolean heldOut) {
    double[][] products = new double[model.centres().length][model.centres().length];
    for (int i = 0; i < products.length; i++) {
      for (int j = 0; j < products.length; j++) {
        products[i][j] = product(model.centres()[i], model.centres()[j]);
      }
    }
    return products;
  }

  private double product(double[] centre, double[] other) {
    double product = 0;
    for (int x = 0; x < parameters.length; x++) {
      product += (parameters[x] - centre[x]) * (parameters[x] - other[x]);
    }
    return product;
  }

  @Override
  public double[] alignments() {
    double[] alignments = new double[model.centres().length];
    Arrays.setAll(alignments, i -> product(model.centres()[i], goal));
    return alignments;
  }
}
