package io.sluice.lab.reproduce.claim;

import io.sluice.lab.reproduce.claim.statistics.Bootstrap;
import io.sluice.lab.reproduce.claim.statistics.Holm;
import io.sluice.lab.reproduce.claim.statistics.Interval;
import io.sluice.lab.reproduce.claim.statistics.Power;
import io.sluice.lab.reproduce.claim.statistics.Sample;
import io.sluice.lab.reproduce.claim.statistics.StudentTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rule of verdicts, whose parts are asked in this order:
 *
 * <ol>
 *   <li><b>undecided</b> with fewer than three pairs: two have a spread by chance.
 *   <li><b>undecided</b> if the measure can be told without learning, and neither arm is better
 *       than that: what such arms differ by is no finding about what they were trained on.
 *   <li><b>no difference</b> if the 95 % t interval lies within ± the least effect. It comes before
 *       the next two, since the least effect was fixed before any run as what matters: a difference
 *       that is certain and too small to matter is not what a paper claims, nor its contrary.
 *   <li><b>shown</b> if the mean lies where it is claimed and the two-sided p is below 0.05 after
 *       Holm's correction.
 *   <li><b>refuted</b> if the mean lies on the other side, with the same p.
 *   <li><b>undecided</b> otherwise, with the pairs that it would take.
 * </ol>
 *
 * <p>That the mean be beyond the least effect is not asked for: of a true difference as great as
 * that half of all means are smaller, however many seeds there are, so that no number of them would
 * decide. What is shown is the side; how much it may be the interval says.
 *
 * <p>A claim that something is not higher or not lower has the least effect as its margin: it is
 * shown if the mean is below (above) the margin, with that p, refuted if beyond it, and cannot come
 * to 'no difference', which would be what it claims.
 *
 * <p>A family of Holm's correction is all claims of a paper whose experiments were run; one without
 * enough pairs counts with p = 1, so that an arm that fails does not make the others easier to
 * show. With it the chance that any claim of a paper is shown or refuted where there is no
 * difference is 5 %, that any is shown, 2.5 %.
 */
public final class Judge {
  private static final double LEVEL = 0.05;
  private static final double POWER = 0.8;
  private static final double LEAST_P = 0.001;

  private final Results results;
  private final List<Claim> tested;
  private final Bootstrap bootstrap;

  private Judge(Results results, List<Claim> tested, Bootstrap bootstrap) {
    this.results = results;
    this.tested = tested;
    this.bootstrap = bootstrap;
  }

  /** The verdicts on all claims whose experiments were run, in their order. */
  public static List<Judgement> judge(Claims claims, Results results) {
    return judge(claims, results, Bootstrap.STANDARD);
  }

  static List<Judgement> judge(Claims claims, Results results, Bootstrap bootstrap) {
    return new Judge(results, claims.begun(results), bootstrap).all();
  }

  /** What decides a claim among so many others of its paper. */
  static Power power(int family) {
    return new Power(LEVEL / family, Evidence.CONFIDENCE, POWER);
  }

  private List<Judgement> all() {
    List<Differences> differences =
        tested.stream().map(claim -> Differences.of(claim, results)).toList();
    Map<Integer, Evidence> evidence = new HashMap<>();
    for (int i = 0; i < tested.size(); i++) {
      Sample sample = differences.get(i).sample().orElse(null);
      if (sample != null && sample.size() >= 2) {
        evidence.put(i, Evidence.of(tested.get(i), sample, bootstrap));
      }
    }
    for (Paper paper : Paper.values()) {
      correct(family(paper), evidence);
    }
    List<Judgement> judgements = new ArrayList<>();
    for (int i = 0; i < tested.size(); i++) {
      int family = family(tested.get(i).paper()).length;
      judgements.add(judgement(tested.get(i), differences.get(i), evidence.get(i), family));
    }
    return List.copyOf(judgements);
  }

  /** What no arm of a claim is better than; empty if one is, or nothing is known without. */
  private OptionalDouble unlearned(Claim claim) {
    List<String> arms = claim.arms();
    double[] without =
        arms.stream()
            .flatMap(arm -> values(claim, arm, Results.UNLEARNED + claim.measure()))
            .mapToDouble(v -> v)
            .toArray();
    if (without.length == 0) {
      return OptionalDouble.empty();
    }
    double floor = Sample.of(without).mean();
    boolean better = arms.stream().anyMatch(arm -> isBetter(claim, arm, floor));
    return better ? OptionalDouble.empty() : OptionalDouble.of(floor);
  }

  private Stream<Double> values(Claim claim, String arm, String measure) {
    return results.values(claim.experiment(), arm, measure).values().stream();
  }

  private boolean isBetter(Claim claim, String arm, double floor) {
    double[] values = values(claim, arm, claim.measure()).mapToDouble(v -> v).toArray();
    if (values.length < 2) {
      return false;
    }
    Interval interval = StudentTest.of(Sample.of(values)).interval(Evidence.CONFIDENCE);
    return claim.measure().startsWith(Results.ACCURACY)
        ? interval.low() > floor
        : interval.high() < floor;
  }

  private int[] family(Paper paper) {
    return IntStream.range(0, tested.size()).filter(i -> tested.get(i).paper() == paper).toArray();
  }

  private static void correct(int[] family, Map<Integer, Evidence> evidence) {
    double[] p =
        IntStream.of(family)
            .mapToDouble(
                i -> evidence.containsKey(i) && isEnough(evidence.get(i)) ? evidence.get(i).p() : 1)
            .toArray();
    double[] adjusted = Holm.adjusted(p);
    for (int rank = 0; rank < family.length; rank++) {
      double corrected = adjusted[rank];
      evidence.computeIfPresent(family[rank], (i, found) -> found.adjusted(corrected));
    }
  }

  private static boolean isEnough(Evidence evidence) {
    return evidence.pairs() >= Power.LEAST_PAIRS;
  }

  private Judgement judgement(
      Claim claim, Differences differences, @Nullable Evidence evidence, int family) {
    if (evidence == null || !isEnough(evidence)) {
      int pairs = differences.bySeed().size();
      String reason = pairs + " of at least " + Power.LEAST_PAIRS + " pairs";
      return new Judgement(claim, differences, evidence, Verdict.UNDECIDED, reason, null);
    }
    OptionalDouble unlearned = unlearned(claim);
    if (unlearned.isPresent()) {
      String reason =
          String.format(
              Locale.ROOT,
              "neither arm is better than without learning, %.4g",
              unlearned.getAsDouble());
      return new Judgement(claim, differences, evidence, Verdict.UNDECIDED, reason, null);
    }
    double least = claim.leastEffect();
    if (!claim.direction().isMarginal() && evidence.interval().isWithin(least)) {
      String reason = "the 95 % interval lies within ± " + least;
      return new Judgement(claim, differences, evidence, Verdict.NO_DIFFERENCE, reason, null);
    }
    String corrected =
        (evidence.adjusted() < LEAST_P
                ? "p < " + LEAST_P
                : String.format(Locale.ROOT, "p = %.2g", evidence.adjusted()))
            + " after correction for the paper's claims, "
            + family;
    if (evidence.adjusted() < LEVEL) {
      boolean asClaimed = claim.direction().favour(evidence.mean(), least) > 0;
      Verdict verdict = asClaimed ? Verdict.SHOWN : Verdict.REFUTED;
      return new Judgement(claim, differences, evidence, verdict, corrected, null);
    }
    OptionalInt seeds = power(family).pairs(least, evidence.deviation());
    String more = "to tell a difference of " + least + " takes " + words(seeds);
    return new Judgement(
        claim,
        differences,
        evidence,
        Verdict.UNDECIDED,
        corrected + "; " + more,
        seeds.isEmpty() ? null : seeds.getAsInt());
  }

  private static String words(OptionalInt seeds) {
    return seeds.isEmpty()
        ? "more than " + Power.MOST_PAIRS + " seeds"
        : "about " + seeds.getAsInt() + " seeds";
  }
}
