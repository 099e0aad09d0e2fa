package io.sluice.mixture.policy.probing;

import io.sluice.mixture.Golden;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A training whose losses drop by a known linear law of what is trained on, and a policy that
 * decides on it, its state going through bytes each time.
 */
final class PlantedWorld {
  static final int EVERY = 10;
  private static final double TOKENS = 1 << 30;

  private final double[][] law;
  private final Policy policy;
  private final double[] losses;
  private byte[] state;
  private double[] shares;
  private Policy.Decision last;
  private long step;

  PlantedWorld(Map<String, String> settings, double[] initial, double[][] law) {
    this.law = law;
    this.policy = policy(settings, initial.length);
    this.losses = new double[law.length];
    Arrays.fill(losses, 4);
    this.shares = initial;
    this.state = policy.initialState(initial);
    this.last = new Policy.Decision(state, shares, new double[0]);
  }

  static Policy policy(Map<String, String> settings, int domains) {
    return Policies.create("aioli", settings, Golden.domains(domains)).inRun(cadence(0));
  }

  static Cadence cadence(long lag) {
    return new Cadence(EVERY, lag, new TreeMap<>(Map.of(1L, 8)), 0);
  }

  /** Trains for a round on the policy's own shares. */
  PlantedWorld train() {
    return train(shares);
  }

  /** Trains for a round on other shares, such as a run's that smooths what policies decide. */
  PlantedWorld train(double... taken) {
    double sum = Arrays.stream(taken).sum();
    for (int i = 0; i < losses.length; i++) {
      for (int j = 0; j < taken.length; j++) {
        losses[i] -= law[i][j] * taken[j] / sum;
      }
    }
    return report(losses, taken);
  }

  PlantedWorld train(int rounds) {
    for (int round = 0; round < rounds; round++) {
      train();
    }
    return this;
  }

  /** A round that closes without feedback. */
  PlantedWorld skip() {
    step += EVERY;
    return this;
  }

  /** Reports any losses. */
  PlantedWorld report(double[] reported, double... taken) {
    step += EVERY;
    double[] sums = new double[taken.length];
    long[] counts = new long[taken.length];
    Arrays.setAll(counts, j -> Math.round(taken[j] * TOKENS));
    Observation observation =
        Observation.at(step)
            .with(Metrics.EVAL_LOSS, reported)
            .with(Metrics.TRAIN_LOSS, sums, counts);
    last = policy.decide(state, observation);
    state = last.state().clone();
    shares = last.shares();
    return this;
  }

  double[] losses() {
    return losses.clone();
  }

  double[] shares() {
    return shares.clone();
  }

  double[] scores() {
    return last.scores();
  }

  String note() {
    return last.note();
  }

  byte[] state() {
    return state.clone();
  }

  Policy policy() {
    return policy;
  }

  /** The domain whose mixture is tried. */
  int trying() {
    int most = 0;
    for (int j = 1; j < shares.length; j++) {
      most = shares[j] > shares[most] ? j : most;
    }
    return most;
  }
}
