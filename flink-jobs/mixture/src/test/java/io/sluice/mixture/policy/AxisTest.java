package io.sluice.mixture.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.Golden;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AxisTest {
  private static final List<String> DOMAINS = List.of("a", "b");

  @Test
  void namesWhatValuesAreOf() {
    assertThat(Axis.DOMAINS.names(DOMAINS)).isEqualTo(DOMAINS);
    assertThat(Axis.domainPairs().names(DOMAINS)).containsExactly("a/a", "a/b", "b/a", "b/b");
    assertThat(Axis.targetPairs(List.of("b")).names(DOMAINS)).containsExactly("b/a", "b/b");
    assertThat(new Axis.Targets(List.of("b")).names(DOMAINS)).containsExactly("b");
    assertThat(new Axis.Named("layers", List.of("l0", "l1")).names(DOMAINS))
        .containsExactly("l0", "l1");
    assertThat(new Axis.Mixtures(List.of("m"), List.of(new double[] {1, 0})).names(DOMAINS))
        .containsExactly("m");
    assertThat(Axis.targetPairs(List.of("b")).kind()).isEqualTo("pairs of targets and domains");
  }

  @Test
  void refusesMorePairsThanAMetricCanHaveAndNamesThatAreNotDistinct() {
    assertThat(Axis.domainPairs().names(Golden.domains(256))).hasSize(Axis.MAX_PAIRS);
    List<String> many = Golden.domains(257);
    assertThatThrownBy(() -> Axis.domainPairs().names(many))
        .hasMessage("pairs of domains and domains must be at most 65536: 257 x 257");
    assertThatThrownBy(() -> new Axis.Named("layers", List.of("l0", "l0")))
        .hasMessage("what is measured must have a name of its own: [l0, l0]");
    assertThatThrownBy(() -> new Axis.Mixtures(List.of("m"), List.of()))
        .hasMessage("mixtures must have a name each: 0, [m]");
  }

  /** Each metric of a policy is of things of its own. */
  @Test
  void isKnownForEachMetricOfAPolicy() {
    List<MetricNeed> needs =
        MetricNeed.of(Policies.create("grape", Map.of("target", "b"), DOMAINS));
    assertThat(needs).extracting(MetricNeed::name).containsExactly("gradient_product", "eval_loss");
    assertThat(needs.get(0).of(DOMAINS)).containsExactly("b/a", "b/b");
    assertThat(needs.get(0).targets()).containsExactly("b");
    assertThat(needs.get(1).of(DOMAINS)).isEmpty();
  }
}
