package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gradient alignment where its fixed point is known: domains that share one model's parameters,
 * with losses ½|θ − c_i|², and a target that is a mixture of them.
 */
class TargetMixtureTest {
  private static final int PARAMETERS = 6;
  private static final int STEPS = 3000;
  private static final int EVERY = 10;
  private static final double RATE = 0.05;

  @ParameterizedTest
  @ValueSource(strings = {"1", "0.1"})
  void gradientAlignmentRecoversAKnownTargetMixture(String beta) {
    double[] target = {.4, .3, .15, .1, .05};
    double[][] centres = centres(target.length);
    double[] goal = mixed(centres, target);
    Policy policy = Policies.create("dga", Map.of("beta", beta), List.of("a", "b", "c", "d", "e"));
    double[] shares = {.2, .2, .2, .2, .2};
    byte[] state = policy.initialState(shares);
    double[] model = new double[PARAMETERS];
    Arrays.fill(model, 1);
    for (int step = 1; step <= STEPS; step++) {
      double[] pull = mixed(centres, shares);
      for (int x = 0; x < PARAMETERS; x++) {
        model[x] -= RATE * (model[x] - pull[x]);
      }
      if (step % EVERY == 0) {
        double[] alignments = alignments(model, centres, goal);
        Policy.Decision decision =
            policy.decide(state, Observation.at(step).with(Metrics.ALIGNMENT, alignments));
        state = decision.state();
        shares = decision.shares();
      }
    }
    double distance = 0;
    for (int i = 0; i < target.length; i++) {
      distance += Math.abs(shares[i] - target[i]);
    }
    assertThat(distance).isLessThan(.05);
  }

  private static double[][] centres(int domains) {
    Random random = new Random(3);
    double[][] centres = new double[domains][PARAMETERS];
    for (double[] centre : centres) {
      Arrays.setAll(centre, x -> random.nextGaussian() / Math.sqrt(PARAMETERS));
    }
    return centres;
  }

  private static double[] mixed(double[][] centres, double[] shares) {
    double[] sum = new double[PARAMETERS];
    for (int i = 0; i < shares.length; i++) {
      for (int x = 0; x < PARAMETERS; x++) {
        sum[x] += shares[i] * centres[i][x];
      }
    }
    return sum;
  }

  private static double[] alignments(double[] model, double[][] centres, double[] goal) {
    double[] alignments = new double[centres.length];
    for (int i = 0; i < alignments.length; i++) {
      for (int x = 0; x < PARAMETERS; x++) {
        alignments[i] += (model[x] - centres[i][x]) * (model[x] - goal[x]);
      }
    }
    return alignments;
  }
}
