package io.sluice.mixture.simulate;

import java.util.Arrays;

/** A model that knows something of each domain, by the domain's law. */
final class LawLearners implements Learners {
  /** What a pass is worth beside the one before it. */
  private static final double REPEAT_VALUE = 0.6;

  /** Passes beyond this many over-fit. */
  private static final double OVERFIT_AFTER = 4;

  private static final double OVERFIT_SLOPE = 0.02;
  private static final double ROUNDING = 1e-9;
  private static final double MOST_ALIGNED = 0.2;

  private final Scenario scenario;
  private final double[] gained;
  private final double[] trained;
  private double seen;

  LawLearners(Scenario scenario) {
    this.scenario = scenario;
    this.gained = new double[scenario.domains().size()];
    this.trained = new double[gained.length];
  }

  @Override
  public Learners untrained() {
    return new LawLearners(scenario);
  }

  @Override
  public void train(double[] batches) {
    double all = Arrays.stream(batches).sum();
    double[] tokens = batches.clone();
    scenario.stages().stream()
        .filter(stage -> seen >= stage.after() - ROUNDING)
        .reduce((earlier, later) -> later)
        .ifPresent(stage -> enter(stage, all, tokens));
    seen += all;
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] == 0) {
        continue;
      }
      double passes = trained[i] / scenario.learners().get(i).tokens();
      double value = tokens[i] * Math.pow(REPEAT_VALUE, Math.floor(passes));
      trained[i] += tokens[i];
      for (int j = 0; j < gained.length; j++) {
        gained[j] += value * scenario.transfer()[i][j];
      }
    }
    for (int j = 0; j < gained.length; j++) {
      double lost = scenario.learners().get(j).forgetting() * (all - tokens[j]);
      gained[j] *= Math.exp(-lost);
    }
  }

  private void enter(Scenario.Stage stage, double all, double[] tokens) {
    for (int j = 0; j < tokens.length; j++) {
      tokens[j] *= 1 - stage.share();
      gained[j] += stage.share() * all * stage.transfer()[j];
    }
  }

  @Override
  public double loss(int domain) {
    LearnerLaw learner = scenario.learners().get(domain);
    double overfit = Math.max(0, trained[domain] / learner.tokens() - OVERFIT_AFTER);
    return learner.law().at(effective(domain)) + OVERFIT_SLOPE * overfit;
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
      double passes = Math.floor(trained[i] / scenario.learners().get(i).tokens());
      benefits[i] *= Math.pow(REPEAT_VALUE, passes);
    }
    return benefits;
  }

  /** As cosines of gradients in a large model: the best domain's is 0.2. */
  @Override
  public double[] alignments() {
    double[] benefits = benefits();
    double most = Arrays.stream(benefits).max().orElseThrow();
    for (int i = 0; i < benefits.length; i++) {
      benefits[i] = most > 0 ? MOST_ALIGNED * benefits[i] / most : 0;
    }
    return benefits;
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
    return learner.head() + Math.max(0, gained[domain] - learner.plateau());
  }
}
