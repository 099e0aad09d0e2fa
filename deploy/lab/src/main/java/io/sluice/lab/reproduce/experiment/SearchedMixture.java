package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Outcomes;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.mixture.law.DrawnMixtures;
import io.sluice.mixture.law.MixingLaw;
import io.sluice.mixture.law.MixtureSearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The fixed mixture that a search finds, as RegMix (Liu et al. 2024) and Data Mixing Laws do: short
 * runs of drawn mixtures, laws of each domain's loss fitted to them, and three mixtures in full:
 * what each law says is best, and the best of those that were drawn.
 *
 * @param domains that are mixed; the mean of their held-out losses is to be least
 */
record SearchedMixture(List<String> domains) {
  /** A short run has an arm's batches divided by this. */
  private static final int SHORTER = 3;

  private static final int DRAWN = 24;
  private static final int SEED = 0;
  private static final List<String> IN_FULL =
      List.of("by-log-linear-law", "by-linear-law", "best-of-drawn");

  /** Checks and copies the names. */
  SearchedMixture {
    domains = List.copyOf(domains);
  }

  /** The arms of the search, each behind those that it needs. */
  List<Arm> arms(Scale scale) {
    List<Arm> arms = new ArrayList<>();
    List<double[]> mixtures = drawn().draw(DRAWN, SEED);
    for (int i = 0; i < DRAWN; i++) {
      arms.add(
          Arm.of(name(i), scale.steps() / SHORTER, Mixture.fixed(byDomain(mixtures.get(i))))
              .unjudged());
    }
    List<String> all = arms.stream().map(Arm::name).toList();
    for (String name : IN_FULL) {
      arms.add(
          Arm.of(name, scale.steps(), Mixture.fixed(byDomain(mixtures.get(0))))
              .after(all, ended -> Mixture.fixed(byDomain(found(name, ended.byArm()))))
              .unjudged());
    }
    return arms;
  }

  /** The best of those that were run in full. */
  Mixture best(Outcomes outcomes) {
    ArmOutcome best =
        IN_FULL.stream()
            .map(outcomes::tuned)
            .min(Comparator.comparingDouble(SearchedMixture::loss))
            .orElseThrow();
    return Mixture.fixed(best.lastWeights());
  }

  /** What the search costs, in runs of an arm's length. */
  static double cost() {
    return IN_FULL.size() + (double) DRAWN / SHORTER;
  }

  /** Mean of the held-out losses at the end. */
  static double loss(ArmOutcome outcome) {
    return Measures.mean(outcome.lastLosses().values());
  }

  private static String name(int drawn) {
    return String.format(Locale.ROOT, "drawn-%02d", drawn + 1);
  }

  private DrawnMixtures drawn() {
    return DrawnMixtures.of(domains.size(), 1);
  }

  private double[] found(String name, Map<String, ArmOutcome> ended) {
    List<ArmOutcome> runs =
        IntStream.range(0, DRAWN).mapToObj(i -> Outcomes.of(ended).of(name(i))).toList();
    if (name.equals("best-of-drawn")) {
      ArmOutcome best =
          runs.stream().min(Comparator.comparingDouble(SearchedMixture::loss)).orElseThrow();
      return values(best.lastWeights());
    }
    MixingLaw.Form form =
        name.equals("by-linear-law") ? MixingLaw.Form.LINEAR : MixingLaw.Form.LOG_LINEAR;
    List<double[]> mixtures = runs.stream().map(run -> values(run.lastWeights())).toList();
    List<double[]> losses =
        domains.stream()
            .map(domain -> runs.stream().mapToDouble(run -> run.lastLosses().get(domain)).toArray())
            .toList();
    double[] aims = new double[domains.size()];
    Arrays.fill(aims, 1);
    return MixtureSearch.fitted(form, mixtures, losses, aims).best(drawn(), SEED);
  }

  private double[] values(Map<String, Double> byDomain) {
    return Domains.values(domains, byDomain, 0);
  }

  private Map<String, Double> byDomain(double[] shares) {
    Map<String, Double> by = new LinkedHashMap<>();
    for (int i = 0; i < shares.length; i++) {
      by.put(domains.get(i), shares[i]);
    }
    return by;
  }
}
