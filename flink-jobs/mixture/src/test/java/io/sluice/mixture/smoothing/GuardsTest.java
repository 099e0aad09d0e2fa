package io.sluice.mixture.smoothing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.mixture.Golden;
import io.sluice.mixture.plan.Weights;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardsTest {
  private static final List<String> DOMAINS = List.of("a", "b", "c", "d");
  private static final Weights CURRENT = Weights.ofShares(.4, .3, .2, .1);

  private static double[] apply(Map<String, String> settings, double... decided) {
    Guards guards = Guards.of(settings, DOMAINS);
    guards.check(DOMAINS, CURRENT);
    return guards.apply(DOMAINS, CURRENT, decided, 10).shares();
  }

  private static void assertShares(double[] got, double... expected) {
    assertThat(got).containsExactly(expected, offset(1e-11));
  }

  @Test
  void takesADecisionAsItIsWithoutGuards() {
    assertShares(apply(Map.of(), 1, 1, 1, 1), .25, .25, .25, .25);
  }

  @Test
  void averages() {
    assertShares(apply(Map.of("new-weight", "0.5"), 4, 4, 4, 4), .325, .275, .225, .175);
  }

  @Test
  void keepsTheWeightsDuringWarmUp() {
    assertThat(apply(Map.of("warm-up", "10"), 1, 1, 1, 1)).isEqualTo(CURRENT.shares());
    assertShares(apply(Map.of("warm-up", "9"), 1, 1, 1, 1), .25, .25, .25, .25);
  }

  @Test
  void mixesInAFloor() {
    assertShares(apply(Map.of("floor", "0.2"), 1, 0, 0, 0), .85, .05, .05, .05);
  }

  @Test
  void cutsAtLimitsAndSharesOutInProportion() {
    assertShares(apply(Map.of("max.a", "0.5"), .8, .1, .1, 0), .5, .25, .25, 0);
    assertShares(apply(Map.of("max.a", "0.5", "min.d", "0.1"), .8, .15, .05, 0), .5, .3, .1, .1);
  }

  @Test
  void givesADomainOfWeightZeroOnlyWhatNobodyElseMayTake() {
    Map<String, String> settings = Map.of("max.a", "0.5", "max.b", "0.2");
    assertShares(apply(settings, .5, .5, 0, 0), .5, .2, .2, .1);
  }

  @Test
  void boundsTheChangeOfEveryWeight() {
    assertShares(apply(Map.of("largest-change", "0.1"), 0, 0, 0, 1), 3.2 / 9, 2.4 / 9, 1.6 / 9, .2);
    assertShares(apply(Map.of("largest-change", "0.1"), .39, .31, .21, .09), .39, .31, .21, .09);
  }

  @Test
  void letsLimitsWinOverTheLargestChange() {
    Map<String, String> settings = Map.of("largest-change", "0.01", "min.d", "0.7");
    assertShares(apply(settings, .4, .3, .2, .1), .4 / 3, .1, .2 / 3, .7);
  }

  @Test
  void keepsFrozenDomainsExactly() {
    double[] next = apply(Map.of("frozen", "b d"), 0, 9, 1, 9);
    assertShares(next, 0, .3, .6, .1);
    assertThat(next[1]).isEqualTo(CURRENT.share(1));
    assertThat(next[3]).isEqualTo(CURRENT.share(3));
  }

  @Test
  void ignoresChangesWithinTheDeadBandUnlessAWeightIsOutsideItsLimits() {
    Map<String, String> band = Map.of("dead-band", "0.02");
    assertThat(apply(band, .41, .29, .2, .1)).isEqualTo(CURRENT.shares());
    assertShares(apply(band, .43, .27, .2, .1), .43, .27, .2, .1);
    Map<String, String> limit = Map.of("dead-band", "0.02", "max.a", "0.39");
    assertThat(apply(limit, .4, .3, .2, .1)[0]).isEqualTo(.39, offset(1e-11));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void holdsEveryPromiseAtOnce(int seed) {
    Random random = new Random(seed);
    int k = 2 + random.nextInt(40);
    List<String> domains = Golden.domains(k);
    double change = .02 + .2 * random.nextDouble();
    Map<String, String> settings = new TreeMap<>();
    settings.put("new-weight", "0.7");
    settings.put("floor", "0.05");
    settings.put("largest-change", Double.toString(change));
    settings.put("frozen", domains.get(0));
    for (int i = 1; i < k; i++) {
      settings.put("min." + domains.get(i), Double.toString(.2 * random.nextDouble() / k));
      settings.put("max." + domains.get(i), Double.toString((1.5 + random.nextDouble()) / k));
    }
    Guards guards = Guards.of(settings, domains);
    Weights current = Weights.uniform(k);
    double frozen = current.share(0);
    guards.check(domains, current);
    for (int round = 1; round <= 60; round++) {
      double[] decided =
          IntStream.range(0, k).mapToDouble(i -> Math.exp(3 * random.nextGaussian())).toArray();
      Weights next = guards.apply(domains, current, decided, round);
      assertThat(next.share(0)).isEqualTo(frozen);
      for (int i = 1; i < k; i++) {
        double low = guards.least().get(domains.get(i));
        double high = guards.most().get(domains.get(i));
        assertThat(next.share(i)).isBetween(low - 1e-11, high + 1e-11);
        assertThat(Math.abs(next.share(i) - current.share(i))).isLessThan(change + 1e-11);
      }
      current = next;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void projectsOntoTheNearestPointByRelativeEntropy(int seed) {
    Random random = new Random(seed);
    int k = 2 + random.nextInt(6);
    double[] v = Weights.ofShares(random.doubles(k, 0.01, 1).toArray()).shares();
    double[] low = random.doubles(k, 0, .9 / k).toArray();
    double[] high = random.doubles(k, 1.2 / k, 1).toArray();
    double[] projected = CappedSimplex.project(v, v, low, high, 1);
    assertThat(Arrays.stream(projected).sum()).isEqualTo(1, offset(1e-14));
    double best = relativeEntropy(projected, v);
    for (int trial = 0; trial < 2000; trial++) {
      double[] other = CappedSimplex.project(random.doubles(k, 0.01, 1).toArray(), v, low, high, 1);
      assertThat(relativeEntropy(other, v)).isGreaterThanOrEqualTo(best - 1e-14);
    }
  }

  private static double relativeEntropy(double[] w, double[] v) {
    double sum = 0;
    for (int i = 0; i < w.length; i++) {
      sum += w[i] > 0 ? w[i] * Math.log(w[i] / v[i]) : 0;
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          new-weight     | 0    | .new-weight must be in (0, 1.0]: 0
          floor          | 2    | .floor must be in [0.0, 1.0]: 2
          largest-change | 0    | .largest-change must be in (0, 1.0]: 0
          min.a          | 1.1  | .min.a must be in [0.0, 1.0]: 1.1
          frozen         | a x  | .frozen must name domains of [a, b, c, d]: x
          flor           | 0    | .flor is not a setting; known are [dead-band, floor, frozen, largest-change, max.<domain>, min.<domain>, new-weight, warm-up]
          """)
  void saysWhatIsWrongWithASetting(String key, String value, String message) {
    assertThatThrownBy(() -> apply(Map.of(key, value), 1, 1, 1, 1))
        .hasMessage("smoothing" + message);
  }

  @Test
  void refusesLimitsThatNoWeightsCanKeep() {
    assertThatThrownBy(() -> apply(Map.of("min.a", ".5", "max.a", ".4"), 1, 1, 1, 1))
        .hasMessage("smoothing.min.a must be at most its max 0.4: 0.5");
    assertThatThrownBy(() -> apply(Map.of("min.a", ".75", "min.b", ".75"), 1, 1, 1, 1))
        .hasMessage("smoothing.min must sum to at most 1.0, what is not frozen: 1.5");
    assertThatThrownBy(
            () -> apply(Map.of("frozen", "c d", "max.a", ".25", "max.b", ".25"), 1, 1, 1, 1))
        .hasMessageMatching("smoothing.max must sum to at least 0.[67].*, what is not frozen: 0.5");
  }
}
