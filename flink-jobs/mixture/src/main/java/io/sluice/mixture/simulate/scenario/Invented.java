package io.sluice.mixture.simulate.scenario;

import io.sluice.mixture.targets.ScalingLaw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * The numbers of a scenario that nobody measured, by the names of what they say: how far a ranking
 * survives their change tells what it is worth.
 *
 * <p>A name stands for as many numbers as it has domains, inputs or pairs: {@code exponent} for the
 * exponents of all laws. Numbers that are 0, and those that a paper gives, are not among them. What
 * a name may not exceed, such as 1 for a share, it keeps to.
 */
public final class Invented {
  private static final double TINY = 1e-12;

  private final ToDoubleFunction<String> factors;

  private Invented(ToDoubleFunction<String> factors) {
    this.factors = factors;
  }

  /** The names of what is invented in a scenario, sorted. */
  public static List<String> names(Scenario scenario) {
    TreeSet<String> names = new TreeSet<>();
    scaled(
        scenario,
        name -> {
          names.add(name);
          return 1;
        });
    return List.copyOf(names);
  }

  /**
   * A scenario with each invented number times a factor.
   *
   * @param factors for a name, above 0; asked once for each of its numbers, always in the same
   *     order
   */
  public static Scenario scaled(Scenario scenario, ToDoubleFunction<String> factors) {
    Invented scaling = new Invented(factors);
    Model model = scaling.model(scenario.model());
    boolean byLaws = model instanceof Model.Laws;
    return scenario.of(
        byLaws ? scaling.laws(scenario.learners()) : scenario.learners(),
        scaling.transfer(scenario.transfer()),
        scaling.noise(scenario.noise()),
        scaling.stages(scenario.stages()),
        model);
  }

  private Model model(Model model) {
    if (model instanceof Model.Laws laws) {
      return new Model.Laws(
          share("repeat-value", laws.repeatValue()),
          number("overfit-after", laws.overfitAfter()),
          number("overfit-slope", laws.overfitSlope()),
          share("most-aligned", laws.mostAligned()));
    }
    if (model instanceof Model.Shared shared) {
      double[][] centres =
          Arrays.stream(shared.centres()).map(c -> numbers("centres", c)).toArray(double[][]::new);
      return new Model.Shared(
          centres, number("beginning", shared.beginning()), number("rate", shared.rate()));
    }
    Model.Sampled sampled = (Model.Sampled) model;
    return new Model.Sampled(
        whole("parameters", sampled.parameters()),
        whole("samples", sampled.samples()),
        sampled.decay(),
        sampled.reducible(),
        share("common", sampled.common()),
        share("conflict", sampled.conflict()),
        Math.min(1 - TINY, number("step", sampled.step())));
  }

  private List<LearnerLaw> laws(List<LearnerLaw> learners) {
    List<LearnerLaw> scaled = new ArrayList<>();
    for (LearnerLaw learner : learners) {
      ScalingLaw law =
          new ScalingLaw(
              number("floor", learner.law().floor()),
              number("coefficient", learner.law().scale()),
              number("exponent", learner.law().exponent()));
      scaled.add(
          new LearnerLaw(
              law,
              number("head", learner.head()),
              learner.tokens(),
              share("forgetting", learner.forgetting()),
              share("head-forgetting", learner.headForgetting()),
              number("plateau", learner.plateau())));
    }
    return scaled;
  }

  /** What a domain teaches itself is 1 by definition. */
  private double[][] transfer(double[][] transfer) {
    double[][] scaled = new double[transfer.length][];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = transfer[i].clone();
      for (int j = 0; j < scaled.length; j++) {
        scaled[i][j] = i == j ? scaled[i][j] : number("transfer", scaled[i][j]);
      }
    }
    return scaled;
  }

  private Scenario.Noise noise(Scenario.Noise noise) {
    return new Scenario.Noise(
        number("noise", noise.loss()), number("alignment-noise", noise.alignment()));
  }

  private List<Scenario.Stage> stages(List<Scenario.Stage> stages) {
    List<Scenario.Stage> scaled = new ArrayList<>();
    for (Scenario.Stage stage : stages) {
      double[] transfer = numbers("stage-transfer", stage.transfer());
      scaled.add(new Scenario.Stage(stage.after(), stage.share(), transfer));
    }
    return scaled;
  }

  private double[] numbers(String name, double[] values) {
    return Arrays.stream(values).map(value -> number(name, value)).toArray();
  }

  private double number(String name, double value) {
    return value == 0 ? 0 : value * factors.applyAsDouble(name);
  }

  private double share(String name, double value) {
    return Math.min(1, number(name, value));
  }

  private int whole(String name, int value) {
    return (int) Math.max(1, Math.round(number(name, value)));
  }
}
