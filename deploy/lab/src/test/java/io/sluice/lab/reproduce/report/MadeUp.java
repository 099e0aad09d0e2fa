package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.Claim;
import io.sluice.lab.reproduce.claim.Claims;
import io.sluice.lab.reproduce.claim.Course;
import io.sluice.lab.reproduce.claim.Outcome;
import io.sluice.lab.reproduce.claim.Results;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Results as experiments would have them, with all that reports have to cope with. */
final class MadeUp {
  static final String HOSTILE = "<script>alert('x')</script> | `a` \u0001 & \"b\"";
  static final Claims CLAIMS = Claims.ofPapers();

  private static final List<String> DOMAINS = List.of("algebra", "arxiv", "code", "text", "web");
  static final int STEPS = 12;
  private static final int SEEDS = 5;

  private MadeUp() {}

  static Report report(Map<String, String> environment) {
    return Report.of(
        "quick",
        CLAIMS,
        results(),
        Map.of("velocitune", List.of("A small model.", HOSTILE)),
        environment);
  }

  /** Two experiments; an arm that failed with one seed, another that was never run. */
  static Results results() {
    Results.Builder results = Results.builder();
    Random random = new Random(5);
    for (String experiment : List.of("velocitune", "ordering")) {
      Set<String> arms = new LinkedHashSet<>();
      for (Claim claim : CLAIMS.of(experiment)) {
        arms.add(claim.of());
        claim.comparison().other().ifPresent(arms::add);
      }
      arms.remove("average");
      for (String arm : arms) {
        double shift = 0.05 * random.nextGaussian();
        for (long seed = 1; seed <= SEEDS; seed++) {
          boolean fails = arm.equals("dynamic-batch-loading") && seed == 2;
          results.add(
              experiment,
              arm,
              seed,
              fails ? new Outcome.Failed(HOSTILE) : finished(shift, seed, random));
        }
      }
    }
    return results.build();
  }

  private static Outcome finished(double shift, long seed, Random random) {
    TreeMap<String, Double> measures = new TreeMap<>();
    for (Claim claim : CLAIMS.all()) {
      String measure = claim.measure();
      if (!measure.startsWith("accuracy")) {
        double start = measure.startsWith("test_loss") ? 2.7 : 0.3;
        measures.put(measure, start + 0.02 * seed + shift + 0.01 * random.nextGaussian());
      }
    }
    measures.put("accuracy/mean", 0.4 + 0.01 * random.nextGaussian());
    measures.put(Results.UNLEARNED + "accuracy/mean", 0.25);
    TreeMap<String, Course> courses = new TreeMap<>();
    int steps = STEPS;
    double[] at = new double[steps];
    double[] mean = new double[steps];
    List<double[]> weights = new ArrayList<>();
    DOMAINS.forEach(domain -> weights.add(new double[steps]));
    for (int i = 0; i < steps; i++) {
      at[i] = 80 * i;
      mean[i] = 2.7 + shift + 2 * Math.exp(-i / 3.0) + 0.02 * random.nextGaussian();
      double sum = 0;
      for (int d = 0; d < DOMAINS.size(); d++) {
        weights.get(d)[i] = Math.exp(Math.sin(d + i / 5.0) + 0.05 * random.nextGaussian());
        sum += weights.get(d)[i];
      }
      for (double[] weight : weights) {
        weight[i] /= sum;
      }
    }
    courses.put("loss/mean", new Course(at, mean));
    for (int d = 0; d < DOMAINS.size(); d++) {
      double[] losses = mean.clone();
      for (int i = 0; i < steps; i++) {
        losses[i] += 0.2 * d;
      }
      courses.put("weight/" + DOMAINS.get(d), new Course(at, weights.get(d)));
      courses.put("loss/" + DOMAINS.get(d), new Course(at, losses));
    }
    return new Outcome.Finished(measures, courses);
  }
}
