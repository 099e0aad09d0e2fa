package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.mixture.simulate.SeedComparison.Row;
import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.simulate.scenario.Scenarios;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeedComparisonTest {
  private static final Scenario STACK = Scenarios.named("system-stack").inSteps(300, 15);

  private static Candidate candidate(String policy) {
    return new Candidate(policy, policy, Map.of(), Map.of());
  }

  @Test
  void hasAveragesAndTheOracleWithIntervals() {
    SeedComparison comparison =
        SeedComparison.of(
            STACK,
            List.of(candidate("dga"), candidate("importance-sampling")),
            5,
            () -> Proposals.NONE);
    assertThat(comparison.rows())
        .extracting(Row::label)
        .containsExactly("static", "dga", "average of dga", "importance-sampling", "oracle");
    Row still = comparison.rows().get(0);
    Row oracle = comparison.rows().get(4);
    assertThat(still.beyondStatic().mean()).isZero();
    assertThat(comparison.rows().get(1).beyondFirst().mean()).isZero();
    assertThat(oracle.beyondStatic().high()).isNegative();
    assertThat(oracle.beyondStatic().mean())
        .isCloseTo(oracle.loss().mean() - still.loss().mean(), within(1e-9));
  }

  @Test
  void takesStudentsQuantileForIntervals() {
    Estimate estimate = Estimate.of(new double[] {1, 2, 3, 4});
    assertThat(estimate.mean()).isEqualTo(2.5);
    assertThat(estimate.error()).isCloseTo(.6454972, within(1e-6));
    // t of 0.975 with three degrees of freedom is 3.182446.
    assertThat(estimate.high() - estimate.mean()).isCloseTo(3.182446 * .6454972, within(1e-5));
    assertThat(estimate.mean() - estimate.low()).isCloseTo(3.182446 * .6454972, within(1e-5));
    assertThat(Estimate.of(new double[] {1}).error()).isNaN();
    assertThat(Estimate.of(new double[] {1}).high()).isNaN();
  }
}
