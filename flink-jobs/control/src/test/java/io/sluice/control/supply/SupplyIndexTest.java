package io.sluice.control.supply;

import static io.sluice.control.controller.TestingRuns.supply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.controller.TestingRuns;
import io.sluice.mixture.decide.DomainSupply;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import org.junit.jupiter.api.Test;

class SupplyIndexTest {
  private final SupplyIndex index = new SupplyIndex();
  private final RunSpec spec = TestingRuns.spec().build();

  @Test
  void boundsOnlyGrowAndTheEndFixesThem() {
    assertThat(index.offer(supply("a", 10, false))).isPresent();
    assertThat(index.offer(supply("a", 10, false))).isEmpty();
    assertThat(index.offer(supply("a", 4, false))).isEmpty();
    assertThat(index.of(spec))
        .containsExactly(new DomainSupply(10, false), new DomainSupply(0, false));
    assertThat(index.offer(supply("a", 8, true)).orElseThrow().getBlocks()).isEqualTo(10);
    assertThat(index.offer(supply("a", 12, false))).isEmpty();
    assertThat(index.offer(supply("a", 12, true))).isEmpty();
    assertThat(index.of(spec).get(0)).isEqualTo(new DomainSupply(10, true));
  }

  @Test
  void keepsDatasetsApart() {
    Supply otherName = Supply.newBuilder(supply("a", 5, false)).setDataset("papers").build();
    Supply otherPrint = Supply.newBuilder(supply("a", 5, false)).setFingerprint(1).build();
    index.offer(otherName);
    index.offer(otherPrint);
    assertThat(index.of(spec).get(0)).isEqualTo(DomainSupply.NONE);
    assertThat(SupplyIndex.key(otherName)).isEqualTo("papers/4d/a/0");
    assertThat(SupplyIndex.key(otherPrint)).isEqualTo("books/1/a/0");
  }

  @Test
  void refusesWhatCannotBeABound() {
    assertThatThrownBy(() -> index.offer(supply("a", -1, false)))
        .hasMessage("blocks must be at least 0: -1");
    assertThatThrownBy(
            () -> index.offer(Supply.newBuilder(supply("a", 1, false)).setLane(64).build()))
        .hasMessage("supply lane must be in [0, 63]: 64 of a");
  }
}
