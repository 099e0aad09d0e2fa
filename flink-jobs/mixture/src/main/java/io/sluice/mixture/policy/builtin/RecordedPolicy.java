package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.Shares;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Repeats weights that are known beforehand: those of another run, or a person's. They change at
 * given steps; {@code use: average} keeps their mean over all of them instead, which is the
 * ablation that tells what the mixture is worth without its course.
 *
 * @param course step to weights from the round at that step on
 */
record RecordedPolicy(TreeMap<Long, double[]> course, boolean average) implements Policy {
  static final String NAME = "recorded";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of();
  }

  @Override
  public boolean hasRounds() {
    return !average;
  }

  @Override
  public double[] startingShares(double[] shares) {
    if (!average) {
      return at(0, shares);
    }
    double[] mean = new double[shares.length];
    int count = 0;
    for (double[] weights : course.values()) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] = (count * mean[i] + weights[i]) / (count + 1);
      }
      count++;
    }
    return mean;
  }

  @Override
  public byte[] initialState(double[] shares) {
    return StateWriter.ofVersion(1).put(shares).bytes();
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    double[] initial = StateReader.ofVersion(NAME, 1, state).array();
    boolean last = observation.step() >= course.lastKey();
    return new Decision(
        state,
        at(observation.step(), initial),
        new double[0],
        last ? "these are the last weights that were recorded: weights no longer move" : "");
  }

  private double[] at(long step, double[] initial) {
    Map.Entry<Long, double[]> entry = course.floorEntry(step);
    return entry == null ? initial : entry.getValue().clone();
  }

  /** Takes the weights of each step, as {@code at.<step>: domain=weight …}. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      TreeMap<Long, double[]> course = new TreeMap<>();
      read.under("at")
          .forEach(
              (step, text) -> {
                String key = "at." + step;
                double[] weights = read.shares(key, text, domains);
                course.put(step(read.path(key), step), Shares.normalised(weights));
              });
      if (course.isEmpty()) {
        throw new IllegalArgumentException(
            read.path("at.<step>") + " must be given as 'domain=weight …', at least once");
      }
      boolean average = read.choice("use", "course", "course", "average").equals("average");
      return new RecordedPolicy(course, average);
    }

    private static long step(String path, String text) {
      if (!text.matches("[0-9]{1,18}")) {
        throw new IllegalArgumentException(path + " must name a step, 0 or more: '" + text + "'");
      }
      return Long.parseLong(text);
    }
  }
}
