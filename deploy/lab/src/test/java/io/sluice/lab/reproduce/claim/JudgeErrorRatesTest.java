package io.sluice.lab.reproduce.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** How often the rule errs, and how often it finds what is there, in runs that are drawn. */
final class JudgeErrorRatesTest {
  private static final int TIMES = 200;
  private static final int CLAIMS = 10;
  private static final double TINY = 1e-6;

  /** Of the noise of one arm; that of a pair's difference is √2 of it. */
  private static final double SPREAD = 0.01;

  /** Mean 0 and deviation 1, with a long tail upwards: skewness 4. */
  private static double skewed(Random random) {
    double s = Math.sqrt(Math.log(2));
    double middle = Math.exp(s * s / 2);
    return Math.exp(s * random.nextGaussian()) / middle - 1;
  }

  private static final List<ToDoubleFunction<Random>> NOISES =
      List.of(Random::nextGaussian, JudgeErrorRatesTest::skewed);

  private static int times(
      Claims claims,
      int seeds,
      double effect,
      ToDoubleFunction<Random> noise,
      Predicate<List<Judgement>> is) {
    Random random = new Random(20_261_128);
    int times = 0;
    for (int i = 0; i < TIMES; i++) {
      Results results = Planted.drawn(claims, seeds, effect, random, noise);
      times += is.test(Judge.judge(claims, results, Planted.QUICK)) ? 1 : 0;
    }
    return times;
  }

  private static Predicate<List<Judgement>> any(Verdict verdict) {
    return judgements -> judgements.stream().anyMatch(each -> each.verdict() == verdict);
  }

  @Test
  void twoEqualArmsAreSeldomShownToDiffer() {
    for (ToDoubleFunction<Random> noise : NOISES) {
      for (int seeds : new int[] {3, 5, 10}) {
        for (int size : new int[] {1, CLAIMS}) {
          Claims claims = Planted.family(size, TINY);
          assertThat(times(claims, seeds, 0, noise, any(Verdict.SHOWN)))
              .as("of %d sets of %d claims, %d seeds", TIMES, size, seeds)
              .isLessThanOrEqualTo(TIMES * 5 / 100);
        }
      }
    }
  }

  @Test
  void aPlantedEffectIsShownAsOftenAsThePlanSays() {
    double deviation = SPREAD * Math.sqrt(2);
    for (int seeds : new int[] {5, 10}) {
      double effect = Judge.power(1).effect(seeds, deviation);
      Claims claims = Planted.family(1, effect);
      assertThat(times(claims, seeds, -effect, Random::nextGaussian, any(Verdict.SHOWN)))
          .as("of %d with %d seeds and an effect of %f", TIMES, seeds, effect)
          .isGreaterThanOrEqualTo(TIMES * 74 / 100);
      assertThat(times(claims, seeds, effect, Random::nextGaussian, any(Verdict.REFUTED)))
          .isGreaterThanOrEqualTo(TIMES * 74 / 100);
      assertThat(times(claims, seeds, 0, Random::nextGaussian, any(Verdict.NO_DIFFERENCE)))
          .isGreaterThanOrEqualTo(TIMES * 74 / 100);
    }
  }

  @Test
  void aPlantedEffectAmongManyClaimsIsShownToo() {
    int seeds = 10;
    double effect = Judge.power(CLAIMS).effect(seeds, SPREAD * Math.sqrt(2));
    Claims claims = Planted.family(CLAIMS, effect);
    Predicate<List<Judgement>> first = judgements -> judgements.get(0).verdict() == Verdict.SHOWN;
    assertThat(times(claims, seeds, -effect, Random::nextGaussian, first))
        .isGreaterThanOrEqualTo(TIMES * 74 / 100);
    assertThat(times(claims, seeds, -effect, Random::nextGaussian, any(Verdict.REFUTED))).isZero();
  }
}
