package io.sluice.mixture.simulate.scenario;

import java.util.Arrays;

/**
 * A model that knows something of each domain, by the domain's law.
 *
 * <p>Tokens of one call come evenly mixed: what they teach and what is forgotten meanwhile is
 * integrated, so that it hardly matters how many calls the tokens of a constant mixture come in.
 */
final class LawLearners implements Learners {
  private static final double ROUNDING = 1e-9;

  private final Scenario scenario;
  private final Model.Laws model;
  private final double[] gained;
  private final double[] trained;
  private final double[] lost;
  private double seen;

  LawLearners(Scenario scenario, Model.Laws model) {
    this.scenario = scenario;
    this.model = model;
    this.gained = new double[scenario.domains().size()];
    this.trained = new double[gained.length];
    this.lost = new double[gained.length];
  }

  @Override
  public Learners untrained() {
    return new LawLearners(scenario, model);
  }

  @Override
  public void train(double[] batches) {
    double all = Arrays.stream(batches).sum();
    double[] tokens = batches.clone();
    double[] more = new double[tokens.length];
    scenario.stages().stream()
        .filter(stage -> seen >= stage.after() - ROUNDING)
        .reduce((earlier, later) -> later)
        .ifPresent(stage -> enter(stage, all, tokens, more));
    seen += all;
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] == 0) {
        continue;
      }
      double has = scenario.learners().get(i).tokens();
      double before = taught(trained[i] / has);
      trained[i] += tokens[i];
      double value = has * (taught(trained[i] / has) - before);
      for (int j = 0; j < more.length; j++) {
        more[j] += value * scenario.transfer()[i][j];
      }
    }
    for (int j = 0; j < gained.length; j++) {
      LearnerLaw learner = scenario.learners().get(j);
      double others = all - tokens[j];
      double rate = learner.forgetting() * others;
      gained[j] = gained[j] * Math.exp(-rate) + more[j] * kept(rate);
      lost[j] += learner.headForgetting() * others;
    }
  }

  /** What passes are worth in all, in first passes. */
  private double taught(double passes) {
    double whole = Math.floor(passes);
    double value = model.repeatValue();
    double ofWhole = value == 1 ? whole : (1 - Math.pow(value, whole)) / (1 - value);
    return ofWhole + (passes - whole) * Math.pow(value, whole);
  }

  /** The part that is left of what came evenly while it was forgotten at this rate. */
  private static double kept(double rate) {
    return rate < ROUNDING ? 1 : -Math.expm1(-rate) / rate;
  }

  private static void enter(Scenario.Stage stage, double all, double[] tokens, double[] more) {
    for (int j = 0; j < tokens.length; j++) {
      tokens[j] *= 1 - stage.share();
      more[j] += stage.share() * all * stage.transfer()[j];
    }
  }

  @Override
  public double loss(int domain) {
    LearnerLaw learner = scenario.learners().get(domain);
    double overfit = Math.max(0, trained[domain] / learner.tokens() - model.overfitAfter());
    return learner.law().at(effective(domain)) + model.overfitSlope() * overfit;
  }

  @Override
  public double[] benefits() {
    double[] benefits = new double[gained.length];
    for (int j = 0; j < gained.length; j++) {
      double slope = scenario.objective()[j] * slope(j);
      for (int i = 0; slope != 0 && i < benefits.length; i++) {
        benefits[i] += slope * scenario.transfer()[i][j];
      }
    }
    for (int i = 0; i < benefits.length; i++) {
      benefits[i] *= valueOfMore(i);
    }
    return benefits;
  }

  private double valueOfMore(int domain) {
    double passes = Math.floor(trained[domain] / scenario.learners().get(domain).tokens());
    return Math.pow(model.repeatValue(), passes);
  }

  /** Those of the moment, scaled so that the greatest is as the model says. */
  @Override
  public double[] alignments() {
    double[] benefits = benefits();
    double most = Arrays.stream(benefits).max().orElseThrow();
    for (int i = 0; i < benefits.length; i++) {
      benefits[i] = most > 0 ? model.mostAligned() * benefits[i] / most : 0;
    }
    return benefits;
  }

  /**
   * How fast tokens of the second domain lower the first's loss, or, as products of two domains'
   * training samples are the same both ways, the mean of both; scaled as alignments are.
   */
  @Override
  public double[][] products(boolean heldOut) {
    int k = gained.length;
    double[][] falls = new double[k][k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        falls[i][j] = slope(i) * scenario.transfer()[j][i] * valueOfMore(j);
      }
    }
    double[][] products = new double[k][k];
    double most = 0;
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        products[i][j] = heldOut ? falls[i][j] : (falls[i][j] + falls[j][i]) / 2;
        most = Math.max(most, products[i][j]);
      }
    }
    for (double[] row : products) {
      for (int j = 0; j < k; j++) {
        row[j] = most > 0 ? model.mostAligned() * row[j] / most : 0;
      }
    }
    return products;
  }

  private double slope(int domain) {
    LearnerLaw learner = scenario.learners().get(domain);
    if (gained[domain] < learner.plateau()) {
      return 0;
    }
    double size = effective(domain);
    double reducible = learner.law().at(size) - learner.law().floor();
    return learner.law().exponent() * reducible / size;
  }

  private double effective(int domain) {
    LearnerLaw learner = scenario.learners().get(domain);
    double head = learner.head() * Math.exp(-lost[domain]);
    return head + Math.max(0, gained[domain] - learner.plateau());
  }
}
