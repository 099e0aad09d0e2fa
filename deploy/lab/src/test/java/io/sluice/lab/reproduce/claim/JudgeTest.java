package io.sluice.lab.reproduce.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class JudgeTest {
  private static final Comparison STATIC = new Comparison.Against("static-c");
  private static final Claim LOWER = Planted.lower("c", 0.01);

  private static Claim towards(Direction direction) {
    return Planted.claim("c", direction, STATIC, 0.01);
  }

  @Test
  void anEffectOnTheClaimedSideIsShown() {
    Judgement judgement = Planted.judged(LOWER, -.05, -.06, -.04, -.055, -.045);
    assertThat(judgement.verdict()).isEqualTo(Verdict.SHOWN);
    assertThat(judgement.reason())
        .isEqualTo("p < 0.001 after correction for the paper's claims, 1");
    Evidence evidence = judgement.measured().orElseThrow();
    assertThat(evidence.mean()).isCloseTo(-0.05, within(1e-12));
    assertThat(evidence.oneSided()).isCloseTo(evidence.p() / 2, within(1e-12));
    assertThat(judgement.seedsToDecide()).isEmpty();
  }

  @Test
  void theSameEffectRefutesTheContraryClaim() {
    Judgement judgement = Planted.judged(towards(Direction.HIGHER), -.05, -.06, -.04, -.055, -.045);
    assertThat(judgement.verdict()).isEqualTo(Verdict.REFUTED);
    assertThat(judgement.measured().orElseThrow().oneSided()).isGreaterThan(0.99);
  }

  @Test
  void whatIsCertainAndTooSmallToMatterIsNoDifference() {
    Judgement judgement = Planted.judged(LOWER, -.0030, -.0031, -.0029, -.0030, -.0032);
    assertThat(judgement.measured().orElseThrow().adjusted()).isLessThan(0.001);
    assertThat(judgement.verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
    assertThat(judgement.reason()).isEqualTo("the 95 % interval lies within ± 0.01");
    assertThat(Planted.judged(towards(Direction.HIGHER), -.003, -.0031, -.0029).verdict())
        .isEqualTo(Verdict.NO_DIFFERENCE);
  }

  @Test
  void whatIsTooFarApartIsUndecidedAndSaysHowManySeedsItWouldTake() {
    Judgement judgement = Planted.judged(LOWER, -.05, .03, -.01, .02, -.03);
    assertThat(judgement.verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(judgement.seedsToDecide()).hasValue(120);
    assertThat(judgement.reason()).contains("to tell a difference of 0.01 takes about 120 seeds");
    assertThat(Planted.judged(LOWER, -50, 30, -10).reason()).contains("more than 10000 seeds");
  }

  /** Arms that know no more than how often each byte comes. */
  @Test
  void whatNoArmHasLearntIsNoFinding() {
    Judgement judgement = judgedBeside(2.94);
    assertThat(judgement.verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(judgement.reason()).isEqualTo("neither arm is better than without learning, 2.940");
  }

  @Test
  void oneArmThatHasLearntIsEnough() {
    assertThat(judgedBeside(2.98).verdict()).isEqualTo(Verdict.SHOWN);
  }

  /** Of an arm with a loss of 3 and one some 0.05 below, where a loss is known without learning. */
  private static Judgement judgedBeside(double unlearned) {
    Results.Builder results = Results.builder();
    double[] differences = {-.05, -.06, -.04, -.055, -.045};
    for (int i = 0; i < differences.length; i++) {
      results.add(Planted.EXPERIMENT, "static-c", i + 1, Planted.finished(3, unlearned));
      results.add(
          Planted.EXPERIMENT, "of-c", i + 1, Planted.finished(3 + differences[i], unlearned));
    }
    return Judge.judge(Planted.claims(LOWER), results.build()).get(0);
  }

  @Test
  void rightAnswersByChanceAreNoFindingAndMoreThanThoseAre() {
    Claim claim =
        new Claim(
            "c",
            Paper.VELOCITUNE,
            "Table 2",
            "It answers more.",
            Planted.EXPERIMENT,
            "of-c",
            "accuracy/mean",
            Direction.NOT_LOWER,
            STATIC,
            0.01);
    assertThat(answers(claim, .24, .26, .25, .255, .245).reason())
        .startsWith("neither arm is better than without learning, 0.25");
    assertThat(answers(claim, .34, .36, .35, .355, .345).verdict()).isEqualTo(Verdict.SHOWN);
  }

  private static Judgement answers(Claim claim, double... shares) {
    Results.Builder results = Results.builder();
    for (int i = 0; i < shares.length; i++) {
      results.add(Planted.EXPERIMENT, "static-c", i + 1, answering(.25 + .001 * (i - 2)));
      results.add(Planted.EXPERIMENT, "of-c", i + 1, answering(shares[i]));
    }
    return Judge.judge(Planted.claims(claim), results.build()).get(0);
  }

  private static Outcome.Finished answering(double share) {
    return new Outcome.Finished(
        new TreeMap<>(Map.of("accuracy/mean", share, Results.UNLEARNED + "accuracy/mean", .25)),
        new TreeMap<>());
  }

  @Test
  void twoPairsDecideNothing() {
    Judgement judgement = Planted.judged(LOWER, -1, -1.001);
    assertThat(judgement.verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(judgement.reason()).isEqualTo("2 of at least 3 pairs");
    assertThat(judgement.measured()).isPresent();
    assertThat(Planted.judged(LOWER, -1).measured()).isEmpty();
  }

  @Test
  void equalDifferencesCountAsSignsOnly() {
    assertThat(Planted.judged(LOWER, -.5, -.5, -.5, -.5, -.5).verdict())
        .isEqualTo(Verdict.UNDECIDED);
    assertThat(Planted.judged(LOWER, -.5, -.5, -.5, -.5, -.5, -.5).verdict())
        .isEqualTo(Verdict.SHOWN);
    assertThat(Planted.judged(LOWER, 0, 0, 0, 0, 0).verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
  }

  @Test
  void thatSomethingCostsNothingIsShownBelowItsMargin() {
    Claim free = towards(Direction.NOT_HIGHER);
    assertThat(Planted.judged(free, .001, -.002, .002, 0, -.001).verdict())
        .isEqualTo(Verdict.SHOWN);
    assertThat(Planted.judged(free, -.05, -.06, -.04, -.055, -.045).verdict())
        .isEqualTo(Verdict.SHOWN);
    assertThat(Planted.judged(free, .05, .06, .04, .055, .045).verdict())
        .isEqualTo(Verdict.REFUTED);
    assertThat(Planted.judged(free, .02, -.02, .01, 0, -.01).verdict())
        .isEqualTo(Verdict.UNDECIDED);
    Claim useless = towards(Direction.NOT_LOWER);
    assertThat(Planted.judged(useless, .05, .06, .04, .055, .045).verdict())
        .isEqualTo(Verdict.SHOWN);
    assertThat(Planted.judged(useless, -.05, -.06, -.04, -.055, -.045).verdict())
        .isEqualTo(Verdict.REFUTED);
  }

  @Test
  void aRatioIsTestedAsADifference() {
    Claim ratio = Planted.claim("c", Direction.LOWER, new Comparison.Ratio("static-c", 1.5), 0.01);
    assertThat(Planted.judged(ratio, -1.2, -1.3, -1.25, -1.22).verdict()).isEqualTo(Verdict.SHOWN);
    Judgement almost = Planted.judged(ratio, -.8, -.9, -.85, -.82);
    assertThat(almost.verdict()).isEqualTo(Verdict.REFUTED);
    assertThat(almost.differences().bySeed().get(1L)).isCloseTo(1.5 * 2.2 - 3, within(1e-12));
    Claim above = Planted.claim("c", Direction.HIGHER, new Comparison.Ratio("static-c", 1.5), 0.01);
    assertThat(Planted.judged(above, 1.6, 1.7, 1.8, 1.65).verdict()).isEqualTo(Verdict.SHOWN);
  }

  @Test
  void aThresholdNeedsOneArm() {
    Claim threshold = Planted.claim("c", Direction.HIGHER, new Comparison.Threshold(3), 0.01);
    assertThat(Planted.judged(threshold, .05, .06, .04, .055, .045).verdict())
        .isEqualTo(Verdict.SHOWN);
  }

  @Test
  void whatFailedIsSaidAndNotGuessed() {
    Results.Builder results = Results.builder();
    Planted.differences(results, "c", -.05, -.06, -.04);
    results.add(Planted.EXPERIMENT, "of-c", 4, new Outcome.Failed("out of memory"));
    results.add(Planted.EXPERIMENT, "static-c", 4, Planted.finished(3));
    results.add(Planted.EXPERIMENT, "of-c", 5, Planted.finished(3));
    Judgement judgement = Judge.judge(Planted.claims(LOWER), results.build()).get(0);
    assertThat(judgement.differences().bySeed()).containsOnlyKeys(1L, 2L, 3L);
    assertThat(judgement.differences().missing())
        .containsExactly("seed 4: of-c failed: out of memory", "seed 5: static-c was not run");
  }

  @Test
  void aFamilyIsAllClaimsOfAPaperWhoseExperimentsWereRun() {
    Claim failed = Planted.lower("failed", 0.01);
    Claim elsewhere =
        new Claim(
            "elsewhere",
            Paper.VELOCITUNE,
            "Table 3",
            "It is lower.",
            "ordering",
            "a",
            Planted.MEASURE,
            Direction.LOWER,
            new Comparison.Against("b"),
            0.01);
    Results.Builder results = Results.builder();
    Planted.differences(results, "c", -.05, -.06, -.04, -.055, -.045);
    List<Judgement> judgements =
        Judge.judge(Planted.claims(LOWER, failed, elsewhere), results.build(), Planted.QUICK);
    assertThat(judgements)
        .extracting(judgement -> judgement.claim().id())
        .containsExactly("c", "failed");
    Evidence evidence = judgements.get(0).measured().orElseThrow();
    assertThat(evidence.adjusted()).isEqualTo(2 * evidence.p());
    assertThat(judgements.get(1).verdict()).isEqualTo(Verdict.UNDECIDED);
    assertThat(judgements.get(1).differences().missing())
        .containsExactly("no seed of of-failed or static-failed was run");
  }
}
