package io.sluice.mixture.policy.bandit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.mixture.PolicyTrace;
import io.sluice.mixture.policy.Axis;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UcbPolicyTest {
  private static final double[] EQUAL = {1 / 3.0, 1 / 3.0, 1 / 3.0};
  private static final double NONE = Double.NaN;

  private static PolicyTrace trace(double[] initial, String... settings) {
    Map<String, String> all = new TreeMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    Cadence cadence = new Cadence(10, 0, new TreeMap<>(Map.of(1L, 8)), 0);
    return new PolicyTrace("ucb", all, initial, cadence);
  }

  @Test
  void domainsWhoseLossesFallFastestGainWeight() {
    PolicyTrace trace = trace(EQUAL, "exploration", "0");
    assertThat(trace.observe(0, 3, 3, 3).shares()).containsExactly(EQUAL);
    trace.observe(10, 2.9, 2.95, 3.05);
    double[] shares = trace.shares();
    assertThat(shares[0]).isGreaterThan(shares[1]);
    assertThat(shares[1]).isGreaterThan(shares[2]);
    assertThat(trace.scores()).containsExactly(new double[] {1, .5, -.5}, offset(1e-12));
  }

  /** Losses have no scale of their own, and no level. */
  @Test
  void declinesCountByWhatTheyAreBesideOthers() {
    PolicyTrace plain = trace(EQUAL).observe(0, 3, 3, 3).observe(10, 2.9, 2.95, 3.05);
    PolicyTrace scaled = trace(EQUAL).observe(0, 7, 8, 9).observe(10, 6.999, 7.9995, 9.0005);
    assertThat(scaled.shares()).containsExactly(plain.shares(), offset(1e-9));
    assertThat(trace(EQUAL, "exploration", "0").observe(0, 3, 4, 5).observe(10, 3, 4, 5).shares())
        .containsExactly(EQUAL, offset(1e-15));
  }

  @Test
  void domainsThatWereTrainedOnLittleGainWeight() {
    double[] initial = {.9, .05, .05};
    PolicyTrace trace = trace(initial, "reward", "value").observe(10, .5, .5, .5);
    double[] sequences = {72, 4, 4};
    double[] bounds = new double[3];
    for (int i = 0; i < 3; i++) {
      bounds[i] = .5 + Math.sqrt(2 * Math.log(81) / (sequences[i] + 1));
    }
    assertThat(trace.scores()).containsExactly(bounds, offset(1e-12));
    assertThat(trace.shares()[1]).isGreaterThan(.49);
  }

  @Test
  void forgetsWhatIsOlderThanTheWindow() {
    String[] settings = {"reward", "value", "window", "2", "exploration", "0"};
    PolicyTrace trace = trace(EQUAL, settings);
    trace.observe(10, 9, 0, 0).observe(20, 1, 2, 3).observe(30, 3, 2, 1);
    assertThat(trace.scores()).containsExactly(2, 2, 2);
    PolicyTrace unmeasured = trace(EQUAL, settings);
    unmeasured.observe(10, 1, 2, 3).observe(20, NONE, 2, 3);
    assertThat(unmeasured.scores()).containsExactly(1, 2, 3);
    double[] before = unmeasured.shares();
    unmeasured.observe(30, NONE, 2, 3);
    double mean = (2 * before[1] + 3 * before[2]) / (before[1] + before[2]);
    assertThat(unmeasured.scores()).containsExactly(new double[] {mean, 2, 3}, offset(1e-12));
  }

  @Test
  void aDeclineIsFromTheLastMeasurement() {
    PolicyTrace trace = trace(EQUAL, "exploration", "0", "window", "1");
    trace.observe(0, 3, 3, 3).observe(10, NONE, 2, 2).observe(20, 1, 1, 1);
    assertThat(trace.scores()).containsExactly(new double[] {1, .5, .5}, offset(1e-12));
  }

  @Test
  void hasAFloor() {
    PolicyTrace trace = trace(EQUAL, "reward", "value", "temperature", "1e-6", "floor", "0.3");
    assertThat(trace.observe(10, 1e308, -1e308, 0).shares())
        .containsExactly(new double[] {.8, .1, .1}, offset(1e-12));
  }

  @Test
  void waitsForTheMetricThatItIsTold() {
    List<String> domains = List.of("a", "b");
    Policy plain = Policies.create("ucb", Map.of(), domains);
    assertThat(plain.metrics()).containsExactly(Metrics.EVAL_LOSS);
    assertThat(plain.startsFromStepZero()).isTrue();
    Policy own =
        Policies.create("ucb", Map.of("metric", "mean_advantage", "reward", "value"), domains);
    assertThat(own.metrics()).containsExactly("mean_advantage");
    assertThat(own.axis("mean_advantage")).isEqualTo(Axis.DOMAINS);
    assertThat(own.startsFromStepZero()).isFalse();
    byte[] state = own.initialState(new double[] {.5, .5});
    Observation observation = Observation.at(10).with("mean_advantage", 1, 2);
    assertThatIllegalStateException()
        .isThrownBy(() -> own.decide(state, observation))
        .withMessage("ucb decides in a run only");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gradient_moment | metric must be one that trainers measure of each domain: 'gradient_moment'",
        "proposed_weight | metric must be one that trainers measure of each domain: 'proposed_weight'",
        "Advantage | metric: metric must be named as [a-z][a-z0-9_.-]{0,63}: 'Advantage'"
      })
  void refusesWhatNoMetricOfDomainsIsCalled(String metric, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policies.create("ucb", Map.of("metric", metric), List.of("a", "b")))
        .withMessageContaining(message);
  }
}
