package io.sluice.mixture.policy.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the policies must keep that are told of pairs of gradients. */
class GradientPoliciesTest {
  private static final double NOTHING = Double.NaN;

  /** Any products and losses, some of them missing, of domains in this order. */
  private static Observation observed(Policy policy, long step, List<Integer> order) {
    int k = order.size();
    Random random = new Random(step);
    double[] products = new double[k * k];
    double[] losses = new double[k];
    for (int i = 0; i < k; i++) {
      losses[i] = random.nextInt(9) == 0 ? NOTHING : 1 + random.nextDouble();
      for (int j = 0; j < k; j++) {
        products[i * k + j] = random.nextInt(9) == 0 ? NOTHING : random.nextGaussian();
      }
    }
    double[] moved = new double[k * k];
    Arrays.setAll(moved, n -> products[order.get(n / k) * k + order.get(n % k)]);
    Observation observation = Observation.at(step).with(Metrics.GRADIENT_PRODUCT, moved);
    return policy.metrics().contains(Metrics.EVAL_LOSS)
        ? observation.with(Metrics.EVAL_LOSS, order.stream().mapToDouble(i -> losses[i]).toArray())
        : observation;
  }

  private static List<Integer> inOrder(int k) {
    return IntStream.range(0, k).boxed().toList();
  }

  private static PolicyTrace trace(String policy, double[] initial) {
    return new PolicyTrace(policy, Map.of(), initial);
  }

  @ParameterizedTest
  @ValueSource(strings = {"r-and-b", "grape"})
  void staysOnTheSimplex(String policy) {
    for (int k : new int[] {1, 2, 5, 32}) {
      PolicyTrace trace = trace(policy, Golden.sevenths(k));
      for (int step = 1; step <= 50; step++) {
        trace.observe(observed(trace.policy(), step, inOrder(k)));
        assertThat(Arrays.stream(trace.shares()).sum()).isEqualTo(1, offset(1e-12));
        assertThat(Arrays.stream(trace.shares()).min().orElseThrow()).isNotNegative();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"r-and-b", "grape"})
  void doesNotDependOnTheOrderOfTheDomains(String policy) {
    int k = 6;
    List<Integer> order = new ArrayList<>(inOrder(k));
    Collections.shuffle(order, new Random(4));
    double[] initial = Golden.sevenths(k);
    PolicyTrace plain = trace(policy, initial);
    PolicyTrace shuffled = trace(policy, order.stream().mapToDouble(i -> initial[i]).toArray());
    for (int step = 1; step <= 30; step++) {
      plain.observe(observed(plain.policy(), step, inOrder(k)));
      shuffled.observe(observed(plain.policy(), step, order));
      double[] shares = plain.shares();
      assertThat(shuffled.shares())
          .containsExactly(order.stream().mapToDouble(i -> shares[i]).toArray(), offset(1e-12));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"r-and-b", "grape"})
  void decidesTheSameFromBytesAsInItsUpdater(String policy) {
    PolicyTrace trace = trace(policy, Golden.sevenths(7));
    PolicyUpdater updater = trace.policy().updater(trace.policy().initialState(Golden.sevenths(7)));
    for (int step = 1; step <= 30; step++) {
      Observation observed = observed(trace.policy(), step, inOrder(7));
      trace.observe(observed);
      updater.take(observed);
      assertThat(updater.shares()).isEqualTo(trace.shares());
      assertThat(updater.scores()).isEqualTo(trace.scores());
      assertThat(updater.state()).isEqualTo(trace.state());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"r-and-b", "grape"})
  void keepsTheWeightsWhenNothingIsMeasuredOrSomethingIsNotFinite(String policy) {
    double[] initial = {.5, .3, .2};
    for (double value : new double[] {NOTHING, Double.POSITIVE_INFINITY}) {
      double[] products = new double[9];
      Arrays.fill(products, 1);
      products[4] = value;
      if (Double.isNaN(value)) {
        Arrays.fill(products, NOTHING);
      }
      PolicyTrace trace = trace(policy, initial);
      Observation observation = Observation.at(1).with(Metrics.GRADIENT_PRODUCT, products);
      trace.observe(observation.with(Metrics.EVAL_LOSS, 2, 2, 2));
      assertThat(trace.shares()).containsExactly(initial, offset(1e-15));
    }
  }

  @Test
  void balancesByWhatTheGradientsSayAndNotByTheirScale() {
    double[] products = {4, 1, 0, 1, 2, 0, 0, 0, 1};
    double[] initial = {.2, .2, .6};
    PolicyTrace plain = trace("r-and-b", initial).observe(1, products);
    PolicyTrace larger =
        trace("r-and-b", initial).observe(1, Arrays.stream(products).map(p -> 50 * p).toArray());
    assertThat(larger.shares()).containsExactly(plain.shares(), offset(1e-14));
    assertThat(plain.shares()[0]).isGreaterThan(plain.shares()[1]);
    assertThat(plain.shares()[1]).isGreaterThan(plain.shares()[2]);
  }

  @Test
  void leavesOutOfABalanceWhatIsNotEvaluated() {
    Map<String, String> settings =
        Map.of(
            "evaluation.d000000", "1",
            "evaluation.d000001", "0",
            "evaluation.d000002", "0");
    double[] equal = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    PolicyTrace trace = new PolicyTrace("r-and-b", settings, equal);
    trace.observe(1, 1, 0, 0, .5, 9, 9, -.5, 9, 9);
    assertThat(trace.scores()).containsExactly(1, .5, -.5);
  }

  @Test
  void favoursTheTargetThatImprovesLeastAndTheDomainThatHelpsIt() {
    Map<String, String> settings = Map.of("target", "d000000 d000001");
    PolicyTrace trace = new PolicyTrace("grape", settings, new double[] {.5, .25, .25});
    // The first target improves by every domain, the second by the last alone.
    for (int step = 1; step <= 40; step++) {
      trace.observe(
          Observation.at(step)
              .with(Metrics.GRADIENT_PRODUCT, .2, .1, .05, 0, 0, .1)
              .with(Metrics.EVAL_LOSS, 2, 2, 2));
    }
    assertThat(trace.shares()[2]).isGreaterThan(.4);
    Policy policy = trace.policy();
    assertThat(policy.updater(trace.state()).note()).startsWith("targets: d000000 0.");
    assertThat(policy.targetDomains(Metrics.EVAL_LOSS)).isEmpty();
    assertThat(policy.axis(Metrics.GRADIENT_PRODUCT).names(Golden.domains(3)))
        .startsWith("d000000/d000000", "d000000/d000001")
        .hasSize(6);
  }

  @Test
  void takesATargetsLossAsTheScaleOfItsGradient() {
    double[] initial = {.5, .5};
    Observation products = Observation.at(1).with(Metrics.GRADIENT_PRODUCT, .2, .1, .1, .2);
    Map<String, String> slow = Map.of("target-eta", "0");
    PolicyTrace even = new PolicyTrace("grape", slow, initial);
    PolicyTrace uneven = new PolicyTrace("grape", slow, initial);
    even.observe(products.with(Metrics.EVAL_LOSS, 2, 2));
    uneven.observe(products.with(Metrics.EVAL_LOSS, 1, 4));
    assertThat(even.shares()).containsExactly(initial, offset(1e-15));
    assertThat(uneven.shares()[0]).isGreaterThan(.5);
  }

  @Test
  void paysForSizeAndChargesForNoise() {
    PolicyTrace trace = trace("pike", new double[] {.4, .3, .3});
    assertThat(trace.policy().axis(Metrics.GRADIENT_MOMENT).names(List.of("a", "b")))
        .containsExactly("square/a", "square/b", "variance/a", "variance/b");
    trace.observe(1, 2, 1, 1, 3, 3, 9);
    assertThat(trace.shares()[0]).isGreaterThan(.4);
    assertThat(trace.shares()[2]).isLessThan(trace.shares()[1]);
    double[] before = trace.shares();
    trace.observe(2, 1, NOTHING, 1, 1, 1, NOTHING);
    assertThat(trace.shares()).containsExactly(before, offset(1e-15));
    trace.observe(3, Double.POSITIVE_INFINITY, 1, 1, 1, 1, 1);
    assertThat(trace.shares()).containsExactly(before, offset(1e-15));
    PolicyTrace noise = trace("pike", new double[] {.5, .5});
    noise.observe(1, -5, 0, 0, -1);
    assertThat(noise.shares()).containsExactly(.5, .5);
  }

  @Test
  void aimsAtDomainsOfTheRun() {
    assertThatThrownBy(() -> Policies.create("grape", Map.of("target", "c"), List.of("a", "b")))
        .hasMessage("policy.grape.target must name domains of [a, b]: [c]");
  }
}
