package io.sluice.mixture.policy.probing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.mixture.Golden;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyUpdater;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AioliPolicyTest {
  private static final double[] INITIAL = {.5, .3, .2};

  /** The sums of its columns, of its whole sum 0.2, are 0.05, 0.11 and 0.04. */
  private static final double[][] LAW = {{.03, .04, 0}, {.01, .05, .02}, {.01, .02, .02}};

  private static Map<String, String> settings(String... more) {
    Map<String, String> settings = new TreeMap<>(Map.of("sweeps", "2", "train-rounds", "3"));
    for (int n = 0; n < more.length; n += 2) {
      settings.put(more[n], more[n + 1]);
    }
    return settings;
  }

  private static PlantedWorld world(String... more) {
    return new PlantedWorld(settings(more), INITIAL, LAW);
  }

  private static void assertLearnt(PlantedWorld world) {
    assertThat(world.scores()).containsExactly(new double[] {.25, .55, .2}, offset(1e-9));
  }

  @Test
  void triesEachDomainOnceASweepAndThenTrainsOnWhatItLearnt() {
    PlantedWorld world = world("one-hot-smoothing", "0.6");
    assertThat(world.shares()).containsExactly(INITIAL);
    for (int sweep = 0; sweep < 2; sweep++) {
      List<Integer> tried = new ArrayList<>();
      for (int n = 0; n < 3; n++) {
        world.train();
        tried.add(world.trying());
        assertThat(world.shares()[world.trying()]).isEqualTo(.4 + .2, offset(1e-15));
        assertThat(Arrays.stream(world.shares()).min()).hasValue(.6 / 3);
        assertThat(world.note())
            .isEqualTo("tries d00000%d, %d of 6", world.trying(), 3 * sweep + n + 1);
        assertThat(world.scores()).isEmpty();
      }
      assertThat(tried).containsExactlyInAnyOrder(0, 1, 2);
    }
    world.train();
    assertLearnt(world);
    double[] learnt = world.shares();
    assertThat(learnt[1] / learnt[0]).isEqualTo(.3 / .5 * Math.exp(.2 * .3), offset(1e-9));
    assertThat(world.train(2).shares()).isEqualTo(learnt);
    assertThat(world.train().note()).endsWith("1 of 6");
  }

  @Test
  void goesToTheDomainThatLowersLossesMost() {
    PlantedWorld world = world("eta", "2").train(7 + 19 * 9);
    assertThat(world.shares()[1]).isGreaterThan(.98);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, .5, .1})
  void takesTheLawFromWhatWasTrainedOn(double newWeight) {
    PlantedWorld world = world();
    double[] taken = INITIAL.clone();
    for (int round = 0; round < 7; round++) {
      world.train(taken);
      double[] decided = world.shares();
      double[] before = taken;
      taken = new double[3];
      for (int j = 0; j < 3; j++) {
        taken[j] = (1 - newWeight) * before[j] + newWeight * decided[j];
      }
    }
    assertThat(world.scores()).containsExactly(new double[] {.25, .55, .2}, offset(1e-5));
  }

  @Test
  void keepsItsWeightsWhereMixturesArePinned() {
    PlantedWorld world = world();
    for (int round = 0; round < 7; round++) {
      world.train(INITIAL);
    }
    assertThat(world.note()).contains("does not tell the domains apart");
    assertThat(world.shares()).containsExactly(INITIAL, offset(1e-15));
    assertThat(world.scores()).isEmpty();
    assertLearnt(world.train(3 + 6));
  }

  @Test
  void keepsItsWeightsWhereNoLossMoves() {
    PlantedWorld world = new PlantedWorld(settings(), INITIAL, new double[3][3]).train(7);
    assertThat(world.note()).startsWith("no loss moved");
    assertThat(world.shares()).containsExactly(INITIAL, offset(1e-15));
  }

  @Test
  void movesTheLawUpWhereALossRises() {
    double[][] law = {{.03, -.01}, {.01, .01}};
    double[] equal = {.5, .5};
    PlantedWorld world = new PlantedWorld(settings(), equal, law).train(5);
    // Less the least, -0.01, which leaves a sum of 0.08.
    assertThat(world.scores()).containsExactly(new double[] {.75, .25}, offset(1e-9));
  }

  @Test
  void averagesTheLawOverCycles() {
    PlantedWorld world = world("gamma", "0.5", "step-from", "initial", "eta", "1").train(7);
    double[] first = world.shares();
    world.train(9);
    assertLearnt(world);
    assertThat(world.shares()).containsExactly(first, offset(1e-9));
    PlantedWorld onwards = world("gamma", "0.5", "eta", "1").train(16);
    assertThat(onwards.shares()[1]).isGreaterThan(first[1] + .05);
  }

  @Test
  void triesAgainWhatCannotBeCompared() {
    PlantedWorld world = world().train(3);
    int trying = world.trying();
    double[] broken = world.losses();
    broken[0] = Double.POSITIVE_INFINITY;
    world.report(broken, world.shares());
    assertThat(world.note()).isEqualTo("a loss is not finite");
    assertThat(world.trying()).isEqualTo(trying);
    world.train();
    assertThat(world.note()).startsWith("tried again");
    assertThat(world.trying()).isEqualTo(trying);
    world.skip().train();
    assertThat(world.note()).startsWith("tried again");
    world.report(world.losses(), 0, 0, 0);
    assertThat(world.note()).startsWith("tried again");
    assertThat(world.trying()).isEqualTo(trying);
    assertLearnt(world.train(4));
  }

  @Test
  void leavesALossThatWasNotMeasuredOutOfTheSums() {
    PlantedWorld world = world().train(3);
    double[] missing = world.losses();
    missing[0] = Double.NaN;
    world.report(missing, INITIAL).train(3);
    // What the other two rows of the law come to; the round's shares were others than asked for.
    double[] pulls = world.scores();
    assertThat(Arrays.stream(pulls).sum()).isEqualTo(1, offset(1e-9));
    PlantedWorld whole = world().train(7);
    assertThat(pulls[0]).isNotCloseTo(whole.scores()[0], offset(.01));
  }

  @Test
  void beginsAgainWithoutADomainThatHasNoData() {
    PlantedWorld world = world().train(2);
    while (world.trying() != 0) {
      world.train();
    }
    world.train(0, .5, .5);
    assertThat(world.note()).startsWith("nothing of d000000 was trained on");
    assertThat(world.shares()[0]).isZero();
    for (int round = 0; round < 4; round++) {
      assertThat(world.scores()).isEmpty();
      assertThat(world.trying()).isNotZero();
      world.train(0, world.shares()[1], world.shares()[2]);
    }
    // Of the second and third columns; the first neither gains nor loses.
    double[] weights = world.shares();
    assertThat(world.scores()[1]).isEqualTo(.11 / .15, offset(1e-9));
    assertThat(weights[0]).isEqualTo(.5, offset(1e-3));
    assertThat(weights[1]).isGreaterThan(.3);
    world.train(0, .5, .5).train(INITIAL).train(INITIAL);
    assertThat(world.note()).endsWith("1 of 6");
  }

  @Test
  void doesNotTryADomainThatTheRunStartsWithoutOrOneAlone() {
    PlantedWorld world = new PlantedWorld(settings(), new double[] {.6, 0, .4}, LAW);
    for (int round = 0; round < 4; round++) {
      assertThat(world.train().shares()[1]).isZero();
    }
    PlantedWorld alone = new PlantedWorld(settings(), new double[] {1, 0, 0}, LAW).train(30);
    assertThat(alone.shares()).containsExactly(1, 0, 0);
  }

  @Test
  void goesOnFromItsBytesInTheMiddleOfACycle() {
    PlantedWorld world = world("gamma", "0.3", "floor", "0.05").train(13);
    PolicyUpdater restored = world.policy().updater(world.state());
    PolicyUpdater kept = world.policy().updater(world.policy().initialState(INITIAL));
    PlantedWorld again = world("gamma", "0.3", "floor", "0.05");
    for (int round = 1; round <= 40; round++) {
      double[] shares = again.shares();
      again.train();
      Observation observation = observed(round, again.losses(), shares);
      kept.take(observation);
      assertThat(kept.state()).isEqualTo(again.state());
      assertThat(kept.shares()).isEqualTo(again.shares());
      if (round > 13) {
        restored.take(observation);
        assertThat(restored.state()).isEqualTo(kept.state());
        assertThat(restored.decision().note()).isEqualTo(kept.decision().note());
        assertThat(restored.scores()).isEqualTo(kept.scores());
      }
    }
  }

  private static Observation observed(int round, double[] losses, double[] shares) {
    long[] counts = Arrays.stream(shares).mapToLong(s -> Math.round(s * (1 << 30))).toArray();
    return Observation.at((long) round * PlantedWorld.EVERY)
        .with(Metrics.EVAL_LOSS, losses)
        .with(Metrics.TRAIN_LOSS, new double[shares.length], counts);
  }

  @Test
  void staysOnTheSimplexWhateverIsMeasured() {
    Random random = new Random(8);
    PlantedWorld world = world("eta", "1000", "sweeps", "1", "train-rounds", "1");
    for (int round = 0; round < 500; round++) {
      double[] losses = random.doubles(3, -10, 1e300).toArray();
      losses[random.nextInt(3)] = random.nextInt(9) == 0 ? Double.NaN : 3;
      world.report(losses, random.doubles(3, 0, random.nextBoolean() ? 1 : 1e-6).toArray());
      assertThat(Arrays.stream(world.shares()).sum()).isEqualTo(1, offset(1e-12));
      assertThat(Arrays.stream(world.shares()).min().orElseThrow()).isNotNegative();
    }
  }

  @Test
  void drawsItsOrdersFromTheSeed() {
    List<Integer> first = order("0");
    assertThat(order("0")).isEqualTo(first);
    assertThat(new HashSet<>(List.of(first, order("1"), order("2")))).hasSizeGreaterThan(1);
  }

  private static List<Integer> order(String seed) {
    PlantedWorld world = world("seed", seed, "sweeps", "8");
    List<Integer> order = new ArrayList<>();
    for (int n = 0; n < 24; n++) {
      order.add(world.train().trying());
    }
    return order;
  }

  @Test
  void refusesWhatItCannotKeepUpWith() {
    Policy policy = Policies.create("aioli", Map.of(), List.of("a", "b"));
    assertThat(policy.inRun(PlantedWorld.cadence(5)).name()).isEqualTo("aioli");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.inRun(PlantedWorld.cadence(6)))
        .withMessage("apply.lag must be at most half of policy.every under aioli, 5: 6");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policies.create("aioli", Map.of(), Golden.domains(65)))
        .withMessage("policy aioli must have at most 64 domains: 65");
    assertThat(Policies.create("aioli", Map.of(), Golden.domains(64)).metrics())
        .containsExactly(Metrics.EVAL_LOSS, Metrics.TRAIN_LOSS);
  }

  @Test
  void triesAsManyDomainsAsItTakes() {
    int k = 64;
    double[][] law = new double[k][k];
    for (int i = 0; i < k; i++) {
      Arrays.fill(law[i], 1e-4);
      law[i][i] = 2e-4 + 1e-5 * i;
    }
    double[] equal = Collections.nCopies(k, 1.0 / k).stream().mapToDouble(w -> w).toArray();
    PlantedWorld world = new PlantedWorld(settings("one-hot-smoothing", "0.9"), equal, law);
    world.train(1 + 2 * k);
    assertThat(world.scores()).isSorted().hasSize(k);
    assertThat(world.state().length).isLessThan(1 << 17);
  }
}
