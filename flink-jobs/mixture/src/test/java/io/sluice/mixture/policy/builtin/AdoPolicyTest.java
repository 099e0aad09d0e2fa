package io.sluice.mixture.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.Golden;
import io.sluice.mixture.PolicyTrace;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AdoPolicyTest {
  @Test
  void raisesSmallSharesAsTheOfficialFloorDoes() {
    JsonNode golden = Golden.read("ado.json").get("floor_function");
    double least = golden.get("min_prob").doubleValue();
    int checked = 0;
    for (JsonNode vector : golden.get("vectors")) {
      if (vector.has("in")) {
        double[] raised = AdoPolicy.atLeast(Golden.doubles(vector.get("in")), least);
        Golden.assertClose(raised, Golden.doubles(vector.get("expected")), "raised");
        checked++;
      }
    }
    assertThat(checked).isPositive();
  }

  @Test
  void doesNotMakeManyDomainsEqual() {
    double[] raised = AdoPolicy.atLeast(Golden.sevenths(250), 0.01);
    assertThat(raised[6] / raised[0]).isGreaterThan(6);
  }

  @Test
  void learnsTheLawsFromTrainingAndFavoursTheDomainThatStillImproves() {
    Map<String, String> settings =
        Map.of("start", "200", "refit-every", "200", "ignore", "20", "stride", "5");
    var trace = new PolicyTrace("ado", settings, new double[] {.5, .5});
    Random random = new Random(3);
    for (int step = 1; step <= 1500; step++) {
      double noise = 1 + .002 * random.nextGaussian();
      double steep = (1 + 6 * Math.pow(step * 200.0, -.25)) * noise;
      double flat = (2 + .2 * Math.pow(step * 200.0, -.25)) * noise;
      Observation losses =
          Observation.at(step)
              .with(
                  Metrics.TRAIN_LOSS,
                  new double[] {100 * steep, 100 * flat},
                  new long[] {100, 100});
      trace.observe(losses);
      if (step < 200) {
        assertThat(trace.shares()).containsExactly(.5, .5);
      }
    }
    assertThat(trace.shares()[0]).isGreaterThan(.8);
    assertThat(trace.shares()[0] + trace.shares()[1]).isEqualTo(1, offset(1e-12));
  }

  @Test
  void keepsTwoHundredBytesOfADomain() {
    Map<String, String> settings = Map.of("ignore", "0", "stride", "1", "refit-every", "1000");
    int k = 64;
    var trace = new PolicyTrace("ado", settings, Golden.sevenths(k));
    Random random = new Random(3);
    for (int step = 1; step <= 200; step++) {
      trace.observe(step, random.doubles(k, 1, 3).toArray());
      assertThat(trace.state()).hasSizeLessThan(200 * k + 500);
    }
  }

  @Test
  void takesLawsOnlyInPairs() {
    assertThatThrownBy(
            () -> new PolicyTrace("ado", Map.of("law-scale.d000000", "1"), new double[] {1}))
        .hasMessage("policy.ado.law-scale and law-exponent must be given together: one is missing");
  }
}
