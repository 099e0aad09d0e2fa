package io.sluice.djl.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DistributionProbesTest {
  private final Map<String, List<TokenBlock>> probes =
      Map.of("even", blocks("even", 6), "odd", blocks("odd", 2));

  @Test
  void aPoolHasTheSharesOfItsDistribution() {
    Map<String, List<TokenBlock>> pools =
        DistributionProbes.of(
            spec(Map.of("basis.mild", "even=1 odd=3", "basis.wild", "even=0.2 odd=0")),
            List.of("wild", "mild"),
            probes);

    assertThat(pools.keySet()).containsExactly("wild", "mild");
    assertThat(named(pools.get("wild")))
        .containsExactly("even0", "even1", "even2", "even3", "even4", "even5");
    assertThat(named(pools.get("mild")))
        .containsExactly("odd0", "even0", "odd1", "odd0", "odd1", "even1", "odd0", "odd1");
  }

  @Test
  void whatIsNotSaidIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DistributionProbes.of(spec(Map.of()), List.of("mild"), probes))
        .withMessage(
            "policy 'dga-distribution' waits for alignment of 'mild', and no setting basis.mild"
                + " says which domains that is of");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                DistributionProbes.of(
                    spec(Map.of("basis.mild", "wiki=1")), List.of("mild"), probes))
        .withMessage("domain wiki of distribution mild must have probe blocks: found none");
  }

  private static List<String> named(List<TokenBlock> blocks) {
    return blocks.stream().map(block -> block.getDomain() + block.getOrdinal()).toList();
  }

  private static RunSpec spec(Map<String, String> settings) {
    RunSpec spec = new RunSpec();
    spec.setPolicy("dga-distribution");
    spec.setPolicySettings(settings);
    return spec;
  }

  private static List<TokenBlock> blocks(String domain, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              TokenBlock block = new TokenBlock();
              block.setDomain(domain);
              block.setOrdinal(i);
              return block;
            })
        .toList();
  }
}
