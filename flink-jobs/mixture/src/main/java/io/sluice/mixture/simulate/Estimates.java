package io.sluice.mixture.simulate;

import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.targets.SettlingRule;
import io.sluice.mixture.targets.TargetEstimate;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What a real run would know of a scenario beforehand, and no more than that. */
final class Estimates {
  /** Measurements of an estimation run. */
  private static final int POINTS = 12;

  /** Documents of the target set that are counted. */
  private static final int DOCUMENTS = 500;

  private static final long KEY = 0x7a11;

  private Estimates() {}

  /**
   * Target losses as an estimation run with the initial weights gives them: laws fitted to what it
   * measures, with noise, in the share of the tokens at which such a run ends (Velocitune, appendix
   * B); see {@link TargetEstimate}.
   *
   * @return one for each domain, in nats
   */
  static double[] targets(Trial trial) {
    Scenario scenario = trial.scenario();
    long until = (long) (SettlingRule.DEFAULT.cap() * scenario.batches());
    List<Trajectory.Point> points =
        trial.measuring(Math.max(1, until / POINTS)).points().stream()
            .filter(point -> point.batch() <= Math.max(1, until))
            .toList();
    List<Trajectory.Point> later = points.subList(1, points.size());
    double[] tokens = later.stream().mapToDouble(p -> tokens(scenario, p.batch())).toArray();
    Random random = new Random(trial.seed() ^ KEY);
    double[] targets = new double[scenario.domains().size()];
    for (int i = 0; i < targets.length; i++) {
      double[] losses = new double[points.size()];
      for (int n = 0; n < losses.length; n++) {
        double noise = Math.exp(scenario.noise().loss() * random.nextGaussian());
        losses[n] = points.get(n).losses()[i] * noise;
      }
      double[] measured = Arrays.copyOfRange(losses, 1, losses.length);
      targets[i] = TargetEstimate.of(tokens, measured, losses[0], scenario.totalTokens()).loss();
    }
    return targets;
  }

  private static double tokens(Scenario scenario, long batches) {
    return batches * scenario.tokensPerBatch();
  }

  /**
   * How many documents of a target set fall to each domain: some hundred, drawn from the objective.
   */
  static double[] histogram(Trial trial) {
    double[] objective = trial.scenario().objective();
    Random random = new Random(trial.seed() ^ KEY);
    double[] counts = new double[objective.length];
    for (int n = 0; n < DOCUMENTS; n++) {
      double left = random.nextDouble();
      int domain = 0;
      while (domain < counts.length - 1 && left >= objective[domain]) {
        left -= objective[domain];
        domain++;
      }
      counts[domain]++;
    }
    return counts;
  }
}
