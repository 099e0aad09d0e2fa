package io.sluice.mixture.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.Golden;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WeightsTest {
  static List<JsonNode> golden() {
    return Golden.list(Golden.read("apportionment.json").get("cases"));
  }

  @ParameterizedTest
  @MethodSource("golden")
  void apportionsByLargestRemainder(JsonNode golden) {
    int total = golden.get("n").intValue();
    double[] quotas = Golden.doubles(golden.get("weights"));
    for (int i = 0; i < quotas.length; i++) {
      quotas[i] *= total;
    }
    double[] expected = Golden.doubles(golden.get("expected_counts"));
    assertThat(Arrays.stream(LargestRemainder.apportion(quotas, total)).asDoubleStream())
        .containsExactly(Arrays.stream(expected).boxed().toArray(Double[]::new));
  }

  @Test
  void sumsToOneWhateverTheShares() {
    Random random = new Random(3);
    for (int k = 1; k < 300; k += 7) {
      double[] shares = random.doubles(k, 1e-9, 1e9).toArray();
      Weights weights = Weights.ofShares(shares);
      assertThat(Arrays.stream(weights.parts()).sum()).isEqualTo(Weights.UNIT);
      assertThat(Arrays.stream(weights.shares()).sum()).isEqualTo(1.0);
    }
  }

  @Test
  void scalesTheOthersUpWhenADomainIsMasked() {
    BitSet masked = new BitSet();
    masked.set(1);
    Weights weights = Weights.ofShares(.5, .25, .25).without(masked);
    assertThat(weights.part(1)).isZero();
    assertThat(weights.share(0)).isCloseTo(2 / 3.0, org.assertj.core.data.Offset.offset(1e-11));
    masked.set(0, 3);
    assertThat(weights.anyWithout(masked)).isFalse();
    assertThatThrownBy(() -> weights.without(masked))
        .hasMessage("every domain with weight is masked: {0, 1, 2}");
  }

  @Test
  void refusesWhatIsNoMixture() {
    assertThatThrownBy(() -> Weights.ofShares(0, 0))
        .hasMessage("shares must have a positive, finite sum: 0.0");
    assertThatThrownBy(() -> Weights.ofShares(1, -.5))
        .hasMessage("share of domain 1 must be finite and at least 0: -0.5");
    assertThatThrownBy(() -> Weights.ofShares(Double.NaN))
        .hasMessage("share of domain 0 must be finite and at least 0: NaN");
    assertThatThrownBy(() -> Weights.of(1, 2))
        .hasMessage("weights must sum to 2^40 = 1099511627776: 3");
    assertThatThrownBy(() -> Weights.ofShares())
        .hasMessage("a mixture must have 1 to 262144 domains: 0");
  }
}
