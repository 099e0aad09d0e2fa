package io.sluice.lab.reproduce.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyUpdater;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A fault that is planted: DGA's alignments with their sign turned, on a model small enough to know
 * what has to come of it. The policy, the paper's claim and the verdict are the real ones.
 */
final class TurnedSignTest {
  private static final List<String> DOMAINS = List.of("a", "b", "c", "d");
  private static final int TARGET = 2;
  private static final int ROUNDS = 30;
  private static final int STEPS = 10;
  private static final double RATE = 0.02;
  private static final int SEEDS = 5;

  private static final Claim CLAIM =
      Claims.ofPapers().of("dga").stream()
          .filter(claim -> claim.id().equals("dga-below-uniform-unlimited"))
          .findFirst()
          .orElseThrow();

  @Test
  void withTheSignOfThePaperTheClaimIsShown() {
    assertThat(judged(1)).isEqualTo(Verdict.SHOWN);
    assertThat(new Training(1, 1).weights()[TARGET]).isGreaterThan(.5);
  }

  @Test
  void withTheSignTurnedTheClaimIsRefuted() {
    assertThat(judged(-1)).isEqualTo(Verdict.REFUTED);
    assertThat(new Training(1, -1).weights()[TARGET]).isLessThan(.1);
  }

  private static Verdict judged(double sign) {
    Results.Builder results = Results.builder();
    for (long seed = 1; seed <= SEEDS; seed++) {
      add(results, CLAIM.of(), seed, new Training(seed, sign).loss());
      String other = CLAIM.comparison().other().orElseThrow();
      add(results, other, seed, new Training(seed, 0).loss());
    }
    return Judge.judge(Planted.claims(CLAIM), results.build(), Planted.QUICK).get(0).verdict();
  }

  private static void add(Results.Builder results, String arm, long seed, double loss) {
    results.add(
        CLAIM.experiment(),
        arm,
        seed,
        new Outcome.Finished(new TreeMap<>(Map.of(CLAIM.measure(), loss)), new TreeMap<>()));
  }

  /**
   * Parameters that each domain draws to a place of its own, and noise that depends on the seed
   * alone. The loss of a domain is half the squared distance to its place.
   */
  private static final class Training {
    private final double[] parameters = new double[DOMAINS.size()];
    private final Random random;
    private final double sign;
    private final double[] weights;

    /**
     * A training that is through.
     *
     * @param sign of the alignments; 0: weights stay uniform
     */
    Training(long seed, double sign) {
      this.random = new Random(seed);
      this.sign = sign;
      this.weights = new double[DOMAINS.size()];
      Arrays.fill(weights, 1.0 / DOMAINS.size());
      Policy policy = Policies.create("dga", Map.of("target", DOMAINS.get(TARGET)), DOMAINS);
      PolicyUpdater updater = policy.updater(policy.initialState(weights));
      for (int round = 1; round <= ROUNDS; round++) {
        for (int step = 0; step < STEPS; step++) {
          step();
        }
        updater.take(Observation.at(round).with(Metrics.ALIGNMENT, alignments()));
        double sum = Arrays.stream(updater.shares()).sum();
        Arrays.setAll(weights, i -> updater.shares()[i] / sum);
      }
    }

    double[] weights() {
      return weights;
    }

    double loss() {
      double[] gradient = gradient(TARGET);
      return dot(gradient, gradient) / 2;
    }

    private void step() {
      double[] step = new double[parameters.length];
      for (int domain = 0; domain < weights.length; domain++) {
        double[] gradient = gradient(domain);
        for (int i = 0; i < step.length; i++) {
          step[i] += weights[domain] * gradient[i];
        }
      }
      for (int i = 0; i < step.length; i++) {
        parameters[i] -= RATE * (step[i] + 0.3 * random.nextGaussian());
      }
    }

    private double[] alignments() {
      double[] towards = clipped(gradient(TARGET));
      double[] alignments = new double[DOMAINS.size()];
      Arrays.setAll(alignments, domain -> sign * dot(clipped(gradient(domain)), towards));
      return alignments;
    }

    private double[] gradient(int domain) {
      double[] gradient = parameters.clone();
      gradient[domain] -= 2;
      return gradient;
    }

    private static double[] clipped(double[] gradient) {
      double norm = Math.max(1, Math.sqrt(dot(gradient, gradient)));
      return Arrays.stream(gradient).map(each -> each / norm).toArray();
    }

    private static double dot(double[] one, double[] other) {
      double sum = 0;
      for (int i = 0; i < one.length; i++) {
        sum += one[i] * other[i];
      }
      return sum;
    }
  }
}
