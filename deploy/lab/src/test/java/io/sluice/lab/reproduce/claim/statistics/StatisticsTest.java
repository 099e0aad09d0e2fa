package io.sluice.lab.reproduce.claim.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * Numbers that are not worked out by hand are those of scipy 1.17.1 and statsmodels 0.15.0, by the
 * calls that stand beside them.
 */
final class StatisticsTest {
  private static final Offset<Double> EXACT = within(1e-9);

  private static final Sample LOSSES = Sample.of(-0.021, -0.034, 0.004, -0.015, -0.028);

  /** Hours of sleep that one drug gives above another: Student's own example, of 1908. */
  private static final Sample SLEEP =
      Sample.of(-1.2, -2.4, -1.3, -1.3, 0, -1.0, -1.8, -0.8, -4.6, -1.4);

  private static void isInterval(Interval found, double low, double high, double tolerance) {
    assertThat(found.low()).isCloseTo(low, within(tolerance));
    assertThat(found.high()).isCloseTo(high, within(tolerance));
  }

  /** stats.ttest_1samp(d, 0), with alternative='greater', and its confidence_interval(level). */
  @Test
  void studentsTestIsThatOfScipy() {
    StudentTest losses = StudentTest.of(LOSSES);
    assertThat(LOSSES.deviation()).isCloseTo(0.014618481453283717, EXACT);
    assertThat(losses.twoSided()).isCloseTo(0.045209220437352954, EXACT);
    assertThat(losses.greater()).isCloseTo(0.9773953897813236, EXACT);
    isInterval(losses.interval(0.95), -0.03695124212895183, -0.0006487578710481674, 1e-9);
    isInterval(losses.interval(0.99), -0.04889965536076592, 0.011299655360765912, 1e-9);
    StudentTest sleep = StudentTest.of(SLEEP);
    assertThat(sleep.twoSided()).isCloseTo(0.002832890197384273, EXACT);
    isInterval(sleep.interval(0.95), -2.4598857632769824, -0.7001142367230174, 1e-9);
  }

  @Test
  void equalValuesAreTestedBySignsAlone() {
    StudentTest five = StudentTest.of(Sample.of(2, 2, 2, 2, 2));
    assertThat(five.twoSided()).isEqualTo(2.0 / 32);
    assertThat(five.greater()).isEqualTo(1.0 / 32);
    assertThat(StudentTest.of(Sample.of(-2, -2, -2)).greater()).isEqualTo(7.0 / 8);
    StudentTest none = StudentTest.of(Sample.of(0, 0, 0));
    assertThat(none.twoSided()).isEqualTo(1);
    isInterval(none.interval(0.95), 0, 0, 0);
  }

  @Test
  void aTestNeedsTwoFiniteValues() {
    assertThatThrownBy(() -> StudentTest.of(Sample.of(1)))
        .hasMessage("a t test needs two values or more: 1");
    assertThatThrownBy(() -> Sample.of(1, Double.NaN)).hasMessageContaining("NaN");
  }

  /**
   * Of five values the quantiles over all 3,125 samples, by numpy; of ten, stats.bootstrap((d,),
   * np.mean, n_resamples=1000000, method='percentile', rng=1).
   */
  @Test
  void theBootstrapIsThatOfScipyButForItsDraws() {
    isInterval(Bootstrap.STANDARD.interval(LOSSES, 0.95), -0.029, -0.0062, 5e-4);
    isInterval(Bootstrap.STANDARD.interval(SLEEP, 0.95), -2.38, -0.95, 0.03);
  }

  @Test
  void theBootstrapIsTheSameForTheSameSeed() {
    Interval once = new Bootstrap(1_000, 7).interval(SLEEP, 0.95);
    assertThat(new Bootstrap(1_000, 7).interval(SLEEP, 0.95)).isEqualTo(once);
    assertThat(new Bootstrap(1_000, 8).interval(SLEEP, 0.95)).isNotEqualTo(once);
  }

  /**
   * By hand: 4 · 0.005, 3 · 0.01, 2 · 0.03, and for 0.04 what the one before has. Also
   * multipletests(p, method='holm').
   */
  @Test
  void holmsCorrectionGoesFromTheSmallest() {
    assertThat(Holm.adjusted(0.01, 0.04, 0.03, 0.005))
        .containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, EXACT);
    assertThat(Holm.adjusted(0.9, 0.8)).containsExactly(1, 1);
    assertThat(Holm.adjusted()).isEmpty();
    assertThatThrownBy(() -> Holm.adjusted(0.5, -0.1)).hasMessageContaining("-0.1");
  }

  /** stats.nct.sf(stats.t.ppf(1 - level / 2, n - 1), n - 1, shift). */
  @Test
  void theChanceOfFindingIsATailOfTheNoncentralT() {
    assertThat(new Power(0.05, 0.95, 0.8).finding(5, 3))
        .isCloseTo(0.6192575370802132, within(1e-4));
    assertThat(new Power(0.01, 0.95, 0.8).finding(10, 2.5))
        .isCloseTo(0.3012747869160989, within(1e-4));
    assertThat(new Power(0.05, 0.95, 0.8).finding(3, 6))
        .isCloseTo(0.8357381198202714, within(1e-4));
    assertThat(new Power(0.003, 0.95, 0.8).finding(200, 3.2))
        .isCloseTo(0.5780313577132474, within(1e-4));
  }

  /** The same integral by scipy.integrate.quad; 400,000 drawn samples of ten gave 0.7511. */
  @Test
  void theChanceOfExcludingIsThatOfTwoOneSidedTests() {
    Power power = new Power(0.05, 0.95, 0.8);
    assertThat(power.excluding(5, 4)).isCloseTo(0.715269228477346, within(1e-4));
    assertThat(power.excluding(10, 3.5)).isCloseTo(0.751208695575327, within(1e-4));
    assertThat(power.excluding(200, 3.3)).isCloseTo(0.8145197694232078, within(1e-4));
  }

  /**
   * TTestPower().solve_power(effect_size=1, alpha=0.0033, power=0.8) is 18.6; at 0.05 it is 9.94,
   * and leaving out a difference takes more.
   */
  @Test
  void pairsAreAsManyAsBothTake() {
    assertThat(new Power(0.0033, 0.95, 0.8).pairs(1, 1)).hasValue(19);
    assertThat(new Power(0.05, 0.95, 0.8).pairs(1, 1)).hasValue(13);
    assertThat(new Power(0.05, 0.95, 0.8).pairs(1, 0)).hasValue(3);
    assertThat(new Power(0.05, 0.95, 0.8).pairs(0.001, 1)).isEmpty();
  }

  @Test
  void theSmallestEffectOfSomePairsTakesThosePairs() {
    Power power = new Power(0.005, 0.95, 0.8);
    for (int pairs : new int[] {3, 5, 10, 50}) {
      double effect = power.effect(pairs, 0.02);
      assertThat(power.pairs(effect * 1.0001, 0.02)).hasValue(pairs);
    }
    assertThat(power.effect(5, 0)).isZero();
    assertThatThrownBy(() -> power.effect(2, 1)).hasMessageContaining("pairs 3 or more: 2");
  }
}
