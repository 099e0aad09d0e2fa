package io.sluice.mixture.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.within;

import io.sluice.mixture.Golden;
import io.sluice.mixture.PolicyTrace;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyUpdater;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyInvariantsTest {
  /** A policy, its settings for k domains whose reference losses are given, and its smoothing. */
  record Subject(String policy, Map<String, String> settings, String references, boolean revives) {
    Map<String, String> settings(double[] losses) {
      Map<String, String> all = new TreeMap<>(settings);
      for (String key : references.isEmpty() ? new String[0] : references.split(",")) {
        double shift = key.equals("initial") ? 1.5 : 0;
        Golden.put(all, key, Arrays.stream(losses).map(l -> l + shift).toArray());
      }
      return all;
    }
  }

  static List<Subject> subjects() {
    return List.of(
        new Subject("velocitune", Map.of(), "initial,targets", false),
        new Subject("velocitune", Map.of("floor", "0.01"), "initial,targets", true),
        new Subject("dynamic-batch-loading", Map.of("preset", "paper"), "targets", false),
        new Subject("dynamic-batch-loading", Map.of("preset", "official"), "targets", true),
        new Subject("dga", Map.of(), "", false),
        new Subject("dga", Map.of("beta", "1", "eta", "40"), "", false),
        new Subject("topic-perplexity", Map.of(), "", false),
        new Subject("odm", Map.of("warm-up", "0"), "", true),
        new Subject("odm", Map.of("warm-up", "0", "update", "exp3"), "", true),
        new Subject("odm-paper", Map.of(), "", true),
        new Subject("ucb", Map.of(), "", true),
        new Subject("ucb", Map.of("reward", "value"), "", true),
        new Subject("doremi", Map.of("floor", "0"), "", false),
        new Subject("doremi", Map.of(), "", true),
        new Subject("doge", Map.of(), "", false),
        new Subject(
            "ado",
            Map.of("start", "20", "refit-every", "20", "ignore", "0", "stride", "2"),
            "",
            true));
  }

  private static Observation observed(Policy policy, long step, double[] values) {
    Observation observation = Observation.at(step);
    for (String metric : policy.metrics()) {
      double[] constant = new double[values.length];
      Arrays.fill(constant, .5);
      boolean own = metric.equals(policy.metrics().get(0));
      observation = observation.with(metric, own ? values : constant);
    }
    return observation;
  }

  private static double[] losses(Random random, int k) {
    return IntStream.range(0, k)
        .mapToDouble(i -> random.nextInt(9) == 0 ? Double.NaN : 1 + 2 * random.nextDouble())
        .toArray();
  }

  private static double[] references(int k) {
    return IntStream.range(0, k).mapToDouble(i -> 1 + (i * 7 % 5) / 10.0).toArray();
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void staysOnTheSimplexAndKeepsZerosUnlessItMixesUniformly(Subject subject) {
    for (int k : new int[] {2, 5, 64}) {
      Random random = new Random(k);
      double[] initial = sharesOf(k);
      var trace = new PolicyTrace(subject.policy, subject.settings(references(k)), initial);
      for (int step = 1; step <= 100; step++) {
        trace.observe(observed(trace.policy(), step, losses(random, k)));
        double[] shares = trace.shares();
        assertThat(Arrays.stream(shares).sum()).isEqualTo(1, offset(1e-12));
        assertThat(Arrays.stream(shares).min().orElseThrow()).isNotNegative();
      }
      assertThat(trace.shares()[k - 1] > 0).isEqualTo(subject.revives);
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void doesNotDependOnTheOrderOfTheDomains(Subject subject) {
    int k = 6;
    List<Integer> order = new ArrayList<>(IntStream.range(0, k).boxed().toList());
    Collections.shuffle(order, new Random(4));
    var plain =
        new PolicyTrace(subject.policy, subject.settings(references(k)), Golden.sevenths(k));
    var shuffled =
        new PolicyTrace(
            subject.policy,
            subject.settings(permuted(references(k), order)),
            permuted(Golden.sevenths(k), order));
    Random random = new Random(9);
    for (int step = 1; step <= 50; step++) {
      double[] values = losses(random, k);
      plain.observe(observed(plain.policy(), step, values));
      shuffled.observe(observed(plain.policy(), step, permuted(values, order)));
      assertThat(shuffled.shares()).containsExactly(permuted(plain.shares(), order), offset(1e-12));
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void givesASingleDomainEverything(Subject subject) {
    var trace = new PolicyTrace(subject.policy, subject.settings(references(1)), new double[] {1});
    for (int step = 1; step <= 5; step++) {
      trace.observe(observed(trace.policy(), step, new double[] {3.0 / step}));
      assertThat(trace.shares()).containsExactly(1);
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void changesNothingBeforeAnythingIsMeasured(Subject subject) {
    double[] initial = {.5, .3, .2};
    var trace = new PolicyTrace(subject.policy, subject.settings(references(3)), initial);
    double[] nothing = {Double.NaN, Double.NaN, Double.NaN};
    trace.observe(observed(trace.policy(), 1, nothing));
    if (!subject.revives) {
      assertThat(trace.shares()).containsExactly(initial, offset(1e-15));
    }
    assertThat(Arrays.stream(trace.shares()).sum()).isEqualTo(1, offset(1e-12));
  }

  /** A run that is restored after every round does what one that never stops does, to the bit. */
  @ParameterizedTest
  @MethodSource("subjects")
  void decidesTheSameFromBytesAsInTheArraysOfItsUpdater(Subject subject) {
    int k = 16;
    var trace = new PolicyTrace(subject.policy, subject.settings(references(k)), sharesOf(k));
    PolicyUpdater updater = trace.policy().updater(trace.policy().initialState(sharesOf(k)));
    Random random = new Random(6);
    for (int step = 1; step <= 60; step++) {
      Observation observed = observed(trace.policy(), step, losses(random, k));
      trace.observe(observed);
      updater.take(observed);
      assertThat(updater.shares()).isEqualTo(trace.shares());
      assertThat(updater.scores()).isEqualTo(trace.scores());
      assertThat(updater.state()).isEqualTo(trace.state());
    }
  }

  private static double[] sharesOf(int k) {
    double[] shares = Golden.sevenths(k);
    shares[0] += shares[k - 1];
    shares[k - 1] = 0;
    return shares;
  }

  @Test
  void isNotMovedByWhatAllScoresShare() {
    double[] initial = {.5, .3, .2};
    var plain = new PolicyTrace("dga", Map.of("beta", "1"), initial);
    var shifted = new PolicyTrace("dga", Map.of("beta", "1"), initial);
    plain.observe(1, .1, -.4, .3);
    shifted.observe(1, 7.1, 6.6, 7.3);
    assertThat(shifted.shares()).containsExactly(plain.shares(), offset(1e-14));
  }

  @Test
  void commutesWithoutAFloor() {
    double[] initial = {.5, .3, .2};
    var one = new PolicyTrace("dga", Map.of("beta", "1"), initial);
    var other = new PolicyTrace("dga", Map.of("beta", "1"), initial);
    one.observe(1, .1, -.4, .3).observe(2, 1, 2, 3);
    other.observe(1, 1, 2, 3).observe(2, .1, -.4, .3);
    assertThat(other.shares()).containsExactly(one.shares(), offset(1e-15));
  }

  @Test
  void averagesDistributionsAsItWouldTheirDomains() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("basis.p", "d000000=3 d000001=1");
    settings.put("basis.q", "d000001=1 d000002=1");
    settings.put("beta", "0.25");
    var averaged = new PolicyTrace("dga-distribution", settings, new double[3]);
    settings.put("beta", "1");
    var plain = new PolicyTrace("dga-distribution", settings, new double[3]);
    double[] average = plain.policy().startingShares(new double[3]);
    Random random = new Random(1);
    for (int step = 1; step <= 30; step++) {
      double[] alignments = {random.nextGaussian(), random.nextGaussian()};
      plain.observe(step, alignments);
      averaged.observe(step, alignments);
      for (int i = 0; i < average.length; i++) {
        average[i] = .75 * average[i] + .25 * plain.shares()[i];
      }
      assertThat(averaged.shares()).containsExactly(average, offset(1e-14));
    }
  }

  @Test
  void keepsNoShareThatIsSubnormal() {
    List<String> domains = List.of("a", "b");
    Policy dga = Policies.create("dga", Map.of("eta", "1"), domains);
    PolicyUpdater updater = dga.updater(dga.initialState(new double[] {0.5, 0.5}));
    for (int round = 1; round <= 8_000; round++) {
      updater.take(Observation.at(round).with(Metrics.ALIGNMENT, new double[] {1, -1}));
    }
    assertThat(updater.shares()[0]).isCloseTo(1, within(1e-12));
    assertThat(updater.shares()[1]).isZero();
  }

  @Test
  void skipsAnAlignmentThatIsNotFiniteAndIsNeutralAboutAMissingOne() {
    var trace =
        new PolicyTrace("dga", Map.of("beta", "1", "eta", "1"), new double[] {.5, .25, .25});
    trace.observe(1, 1, Double.POSITIVE_INFINITY, 0);
    assertThat(trace.shares()).containsExactly(.5, .25, .25);
    trace.observe(2, .7, .7, Double.NaN);
    assertThat(trace.shares()).containsExactly(new double[] {.5, .25, .25}, offset(1e-15));
  }

  /**
   * The setting of theorem 1: losses ½‖θ − c_i‖², gradient flow to the mixture's optimum Σ w_i·c_i,
   * and a target that is a known mixture of the domains.
   */
  @Test
  void recoversATargetThatIsAMixtureOfTheDomains() {
    double[] target = {.5, .3, .15, .05, 0};
    var trace = new PolicyTrace("dga", Map.of("eta", "0.5", "beta", "0.1"), Golden.sevenths(5));
    double[] model = Golden.sevenths(5);
    for (int step = 1; step <= 20_000; step++) {
      double[] alignments = new double[5];
      double towardsTarget = 0;
      for (int j = 0; j < 5; j++) {
        towardsTarget += model[j] * (model[j] - target[j]);
      }
      for (int i = 0; i < 5; i++) {
        alignments[i] = towardsTarget - (model[i] - target[i]);
      }
      trace.observe(step, alignments);
      for (int j = 0; j < 5; j++) {
        model[j] += .5 * (trace.shares()[j] - model[j]);
      }
    }
    double distance = 0;
    for (int i = 0; i < 5; i++) {
      distance += Math.abs(trace.shares()[i] - target[i]);
    }
    assertThat(distance).isLessThan(.05);
  }

  @Test
  void followsAnotherProcessButNotItsNonsense() {
    var trace = new PolicyTrace("external", Map.of(), new double[] {.5, .3, .2});
    trace.observe(1, 2, Double.NaN, 1);
    assertThat(trace.shares())
        .containsExactly(new double[] {2 / 3.3, .3 / 3.3, 1 / 3.3}, offset(1e-15));
    double[] before = trace.shares();
    assertThat(trace.observe(2, 1, -1, 1).shares()).containsExactly(before);
    assertThat(trace.observe(3, 0, 0, 0).shares()).containsExactly(before);
  }

  @Test
  void repeatsARecordedCourseOrItsMean() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("at.0", "d000000=1 d000001=3");
    settings.put("at.20", "d000000=1");
    var trace = new PolicyTrace("recorded", settings, new double[] {.5, .5});
    assertThat(trace.policy().startingShares(new double[2])).containsExactly(.25, .75);
    assertThat(trace.observe(Observation.at(10)).shares()).containsExactly(.25, .75);
    assertThat(trace.observe(Observation.at(20)).shares()).containsExactly(1, 0);
    settings.put("use", "average");
    Policy average = Policies.create("recorded", settings, Golden.domains(2));
    assertThat(average.hasRounds()).isFalse();
    assertThat(average.startingShares(new double[2])).containsExactly(.625, .375);
  }

  private static double[] permuted(double[] values, List<Integer> order) {
    return order.stream().mapToDouble(i -> values[i]).toArray();
  }
}
