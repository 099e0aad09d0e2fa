package io.sluice.mixture.simulate.scenario;

import io.sluice.mixture.plan.Weights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The scenarios that ship with the simulator. Token counts are the papers'; laws are invented. */
public final class Scenarios {
  /** Alignments are as noisy beside the greatest as those that low-data measures. */
  private static final Scenario.Noise MEASURED = new Scenario.Noise(2e-3, 6 * Model.MOST_ALIGNED);

  private static final Map<String, Supplier<Scenario>> ALL =
      new TreeMap<>(
          Map.of(
              "reasoning", Scenarios::reasoning,
              "system-stack", Scenarios::systemStack,
              "low-data", Scenarios::lowData,
              "syne", Scenarios::syne,
              "bilingual", Scenarios::bilingual,
              "known-mixture", Scenarios::knownMixture));

  private Scenarios() {}

  /** Every name that {@link #named} takes. */
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /**
   * The scenario of a name.
   *
   * @throws IllegalArgumentException listing the known ones
   */
  public static Scenario named(String name) {
    Supplier<Scenario> scenario = ALL.get(name);
    if (scenario == null) {
      throw new IllegalArgumentException("scenario must be one of " + names() + ": '" + name + "'");
    }
    return scenario.get();
  }

  /** After Velocitune's reasoning corpus: five domains, two of them replayed against forgetting. */
  private static Scenario reasoning() {
    List<LearnerLaw> learners =
        List.of(
            LearnerLaw.of(1.52, .61, .35, 1.0, 28.70),
            LearnerLaw.of(.83, .75, .28, .6, 10.47),
            LearnerLaw.of(1.71, .66, .41, .9, 14.02),
            LearnerLaw.of(.84, .30, .52, .8, 3.97).forgetting(.02, .02),
            LearnerLaw.of(2.05, .40, .30, .8, 2.92).forgetting(.02, .02));
    double[][] transfer = identity(5, .02);
    transfer[0][2] = transfer[2][0] = .15;
    transfer[1][3] = transfer[3][1] = .2;
    List<String> domains =
        List.of("arxiv", "algebraic-stack", "open-web-math", "gen-code", "gen-language");
    return of("reasoning", domains, learners, transfer, 92 * 150);
  }

  /** After Velocitune's SystemStack: three domains, one much easier than the others. */
  private static Scenario systemStack() {
    List<LearnerLaw> learners =
        List.of(
            LearnerLaw.of(1.9, .45, .45, .5, 5.37),
            LearnerLaw.of(2.1, .70, .30, .3, 3.21),
            LearnerLaw.of(1.6, .35, .60, .8, 7.64));
    List<String> domains = List.of("arxiv", "blogs", "stackoverflow");
    return of("system-stack", domains, learners, identity(3, .05), 103 * 150);
  }

  /**
   * After DGA's low-data setting: 64 domains of 30 million tokens, and a target that is a mixture
   * of five. Batches are those of the 125M model of Brown et al., as many as it takes to train it
   * on 20 tokens for each parameter (Hoffmann et al.), a round every 100. With variances that fall
   * by the power 1 / (1 − 0.28), the loss falls by the power 0.28 of the tokens, as Hoffmann et al.
   * found, from ln 50257 to what they give a model of that size.
   */
  private static Scenario lowData() {
    int k = 64;
    double floor = 2.41;
    Model.Sampled model =
        new Model.Sampled(512, 457, 1 / (1 - .28), Math.log(50_257) - floor, .2, .11, .1);
    double[] objective = new double[k];
    for (int n = 0; n < 5; n++) {
      objective[11 * n + 3] = new double[] {.4, .25, .15, .12, .08}[n];
    }
    return new Scenario(
        "low-data",
        names(k),
        Collections.nCopies(k, LearnerLaw.of(floor, 1, 1, 1, .03)),
        identity(k, 0),
        new Scenario.Noise(5e-3, 0),
        Weights.uniform(k),
        objective,
        5000,
        100,
        512 * 1024e-9,
        List.of(),
        model);
  }

  /**
   * After Llama-3-SynE: eleven topics in rounds of 40 billion tokens, some half forgotten; in the
   * last 7.5 of 100 billion, a fifth of every batch is synthetic and teaches mostly four topics.
   */
  private static Scenario syne() {
    double[] ratios = {.08, .06, .05, .07, .09, .04, .12, .11, .06, .14, .18};
    List<LearnerLaw> learners = new ArrayList<>();
    for (int i = 0; i < ratios.length; i++) {
      double floor = 1.6 + .11 * (i * 4 % 11);
      double forgotten = i % 3 == 0 ? .004 : .0005;
      learners.add(
          LearnerLaw.of(floor, .9, .22 + .03 * (i % 4), 12, 300 * ratios[i])
              .forgetting(forgotten, forgotten)
              .late(i == 0 ? 1.5 : 0));
    }
    double[] taught = new double[ratios.length];
    Arrays.fill(taught, .1);
    Arrays.fill(taught, 0, 4, 1);
    return new Scenario(
        "syne",
        List.of(
            "mathematics-physics",
            "computer-science",
            "biology-chemistry",
            "history-geography",
            "law-policy",
            "philosophy-logic",
            "economics-business",
            "psychology-sociology",
            "security-relations",
            "medicine-health",
            "others"),
        learners,
        identity(ratios.length, .3),
        MEASURED,
        Weights.ofShares(ratios),
        uniform(ratios.length),
        1000,
        400,
        .1,
        List.of(new Scenario.Stage(92.5, .2, taught)),
        Model.LAWS);
  }

  /**
   * After Llama-3-SynE's two stages: sources in Chinese and English, and synthetic text that
   * teaches mathematics and code and has no held-out loss in the objective.
   */
  private static Scenario bilingual() {
    List<String> domains =
        List.of(
            "zh-web",
            "zh-encyclopedia",
            "zh-book",
            "zh-qa",
            "en-web",
            "en-encyclopedia",
            "en-book",
            "en-qa",
            "en-paper",
            "en-math",
            "en-code",
            "synthetic");
    double[] parts = {14, 1, 4, 1, 32, 4, 12, 4, 8, 8, 12, 0};
    int k = domains.size();
    List<LearnerLaw> learners = new ArrayList<>();
    double[] objective = new double[k];
    for (int i = 0; i < k; i++) {
      boolean chinese = i < 4;
      double floor = 1.5 + .13 * (i * 5 % 7);
      double tokens = Math.max(1, 2 * parts[i]);
      learners.add(
          chinese
              ? LearnerLaw.of(floor, 1.2, .25, 4, tokens).forgetting(.0005, 0)
              : LearnerLaw.of(floor, .7, .25, 30, tokens).forgetting(.002, .004));
      objective[i] = i == k - 1 ? 0 : 1.0 / (k - 1);
    }
    double[][] transfer = identity(k, .1);
    for (int i = 0; i < k - 1; i++) {
      for (int j = 0; j < k - 1; j++) {
        transfer[i][j] += i != j && i < 4 == j < 4 ? .05 : 0;
      }
    }
    transfer[k - 1][9] = transfer[k - 1][10] = .8;
    return new Scenario(
        "bilingual",
        domains,
        learners,
        transfer,
        MEASURED,
        Weights.ofShares(parts),
        objective,
        1000,
        25,
        .1,
        List.of(),
        Model.LAWS);
  }

  /** After theorem 1 of dynamic gradient alignment: the target is a mixture of the domains. */
  private static Scenario knownMixture() {
    double[] target = {.4, .3, .15, .1, .05};
    int k = target.length;
    Random random = new Random(3);
    double[][] centres = new double[k][k + 1];
    List<LearnerLaw> learners = new ArrayList<>();
    for (double[] centre : centres) {
      Arrays.setAll(centre, x -> random.nextGaussian() / Math.sqrt(k + 1));
      learners.add(LearnerLaw.of(2, 1, 1, 1, 1));
    }
    return new Scenario(
        "known-mixture",
        List.of("a", "b", "c", "d", "e"),
        learners,
        identity(k, 0),
        new Scenario.Noise(5e-4, .02),
        Weights.uniform(k),
        target,
        10_000,
        10,
        2e-3,
        List.of(),
        new Model.Shared(centres, 1, 25));
  }

  private static Scenario of(
      String name,
      List<String> domains,
      List<LearnerLaw> learners,
      double[][] transfer,
      long batches) {
    double[] tokens = learners.stream().mapToDouble(LearnerLaw::tokens).toArray();
    double total = Arrays.stream(tokens).sum();
    return new Scenario(
        name,
        domains,
        learners,
        transfer,
        MEASURED,
        Weights.ofShares(tokens),
        uniform(domains.size()),
        batches,
        150,
        total / batches,
        List.of(),
        Model.LAWS);
  }

  private static List<String> names(int k) {
    return IntStream.range(0, k).mapToObj("domain-%02d"::formatted).toList();
  }

  private static double[] uniform(int k) {
    double[] shares = new double[k];
    Arrays.fill(shares, 1.0 / k);
    return shares;
  }

  private static double[][] identity(int k, double elsewhere) {
    double[][] transfer = new double[k][k];
    for (int i = 0; i < k; i++) {
      Arrays.fill(transfer[i], elsewhere / k);
      transfer[i][i] = 1;
    }
    return transfer;
  }
}
