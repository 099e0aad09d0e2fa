package io.sluice.mixture.policy.probing;

import io.sluice.mixture.plan.SplitMix;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.update.SteppedWeights;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What {@link AioliPolicy} remembers from round to round. Mutable. */
final class AioliState {
  private static final int VERSION = 1;
  private static final double[] NONE = {};

  /** Weights that the policy began with, summing to 1. */
  final double[] initial;

  SteppedWeights weights;

  /** How often mixtures began to be tried. */
  long cycle;

  /** Rounds that train on the learnt weights, with the one in force; 0 while mixtures are tried. */
  long left;

  /** The stretch in force, from 0, of those of the cycle. */
  long stretch;

  /** Step of the last report. */
  long step;

  /** 1 for each domain that is not tried, since nothing of it is trained on; else 0. */
  final double[] absent;

  /** Losses at the last report; empty if they cannot be compared with. */
  double[] before;

  /** Sums over a cycle's stretches, as {@link DropLaw#of} takes them; empty between cycles. */
  double[] trained;

  double[] drops;

  /** Moving average of A; empty without one. */
  double[] average;

  private AioliState(SteppedWeights weights, double[] initial, double[] counters, double[] absent) {
    this.weights = weights;
    this.initial = initial;
    this.cycle = (long) counters[0];
    this.left = (long) counters[1];
    this.stretch = (long) counters[2];
    this.step = (long) counters[3];
    this.absent = absent;
    this.before = NONE;
    this.trained = NONE;
    this.drops = NONE;
    this.average = NONE;
  }

  /** Before any report: one round on the weights that are there. */
  static AioliState start(double[] shares, double floor, boolean averages) {
    double[] absent = Arrays.stream(shares).map(share -> share > 0 ? 0 : 1).toArray();
    AioliState state =
        new AioliState(
            SteppedWeights.start(shares, floor), shares, new double[] {0, 1, 0, 0}, absent);
    if (averages) {
      state.average = DropLaw.unknown(shares.length);
    }
    return state;
  }

  /** What {@link #encode} wrote. */
  static AioliState decode(byte[] bytes, double floor) {
    StateReader reader = StateReader.ofVersion(AioliPolicy.NAME, VERSION, bytes);
    AioliState state =
        new AioliState(
            SteppedWeights.read(reader, floor), reader.array(), reader.array(), reader.array());
    state.before = reader.array();
    state.trained = reader.array();
    state.drops = reader.array();
    state.average = reader.array();
    return state;
  }

  byte[] encode() {
    double[] counters = {cycle, left, stretch, step};
    return weights.encode(VERSION, initial, counters, absent, before, trained, drops, average);
  }

  int domains() {
    return initial.length;
  }

  /** The domains that are tried, in the order of the run. */
  int[] tried() {
    return IntStream.range(0, absent.length).filter(i -> absent[i] == 0).toArray();
  }

  /** The domain whose mixture is in force, from an order that is drawn for each sweep. */
  int trying(long seed) {
    int[] order = tried();
    SplitMix.keyed(seed, cycle, stretch / order.length).shuffle(order);
    return order[(int) (stretch % order.length)];
  }

  /** Begins to try mixtures. */
  void beginCycle() {
    cycle++;
    left = 0;
    stretch = 0;
    trained = new double[domains() * domains()];
    drops = new double[domains() * domains()];
  }

  /** Trains on the learnt weights for some rounds. */
  void endCycle(long rounds) {
    left = rounds;
    trained = NONE;
    drops = NONE;
  }

  /** Adds a stretch that tried a domain: shares that were trained on, and losses after it. */
  void add(int domain, double[] mixture, double[] losses) {
    int row = domain * domains();
    for (int i = 0; i < losses.length; i++) {
      trained[row + i] += mixture[i];
      drops[row + i] += before[i] - losses[i];
    }
    stretch++;
  }
}
