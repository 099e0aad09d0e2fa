package io.sluice.lab.reproduce.claim;

import io.sluice.lab.reproduce.claim.statistics.Bootstrap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Made-up claims and results, whose truth is known. */
final class Planted {
  static final String EXPERIMENT = "velocitune";
  static final String MEASURE = "test_loss/mean";

  /** For tests that do not look at it. */
  static final Bootstrap QUICK = new Bootstrap(10, 1);

  private Planted() {}

  static Claim claim(String id, Direction direction, Comparison comparison, double leastEffect) {
    return new Claim(
        id,
        Paper.VELOCITUNE,
        "Table 2",
        "The loss is lower.",
        EXPERIMENT,
        "of-" + id,
        MEASURE,
        direction,
        comparison,
        leastEffect);
  }

  static Claim lower(String id, double leastEffect) {
    return claim(id, Direction.LOWER, new Comparison.Against("static-" + id), leastEffect);
  }

  static Claims claims(Claim... claims) {
    return new Claims("0".repeat(64), List.of(claims));
  }

  static Outcome.Finished finished(double value) {
    return new Outcome.Finished(new TreeMap<>(Map.of(MEASURE, value)), new TreeMap<>());
  }

  /** What is known without learning beside it. */
  static Outcome.Finished finished(double value, double unlearned) {
    return new Outcome.Finished(
        new TreeMap<>(Map.of(MEASURE, value, Results.UNLEARNED + MEASURE, unlearned)),
        new TreeMap<>());
  }

  /** Both arms of a claim whose differences are these, from seed 1. */
  static void differences(Results.Builder results, String id, double... differences) {
    for (int i = 0; i < differences.length; i++) {
      results.add(EXPERIMENT, "static-" + id, i + 1, finished(3));
      results.add(EXPERIMENT, "of-" + id, i + 1, finished(3 + differences[i]));
    }
  }

  static Judgement judged(Claim claim, double... differences) {
    Results.Builder results = Results.builder();
    differences(results, claim.id(), differences);
    return Judge.judge(claims(claim), results.build(), QUICK).get(0);
  }

  /**
   * Two arms for each of some claims; seeds differ from each other by ten times as much as the arms
   * of a pair.
   *
   * @param effect that is added to the arms which the claims are about
   */
  static Results drawn(
      Claims claims, int seeds, double effect, Random random, ToDoubleFunction<Random> noise) {
    Results.Builder results = Results.builder();
    for (Claim claim : claims.all()) {
      for (int seed = 1; seed <= seeds; seed++) {
        double shared = 3 + 0.1 * random.nextGaussian();
        results.add(
            EXPERIMENT,
            "static-" + claim.id(),
            seed,
            finished(shared + 0.01 * noise.applyAsDouble(random)));
        results.add(
            EXPERIMENT,
            claim.of(),
            seed,
            finished(shared + effect + 0.01 * noise.applyAsDouble(random)));
      }
    }
    return results.build();
  }

  /** So many claims that an arm's loss is lower, each on its own arms. */
  static Claims family(int size, double leastEffect) {
    return claims(
        IntStream.range(0, size)
            .mapToObj(i -> lower("claim-" + i, leastEffect))
            .toArray(Claim[]::new));
  }
}
