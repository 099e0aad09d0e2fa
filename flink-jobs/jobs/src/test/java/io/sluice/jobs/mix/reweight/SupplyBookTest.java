package io.sluice.jobs.mix.reweight;

import static io.sluice.jobs.mix.reweight.TestingRuns.supply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.control.DomainSupply;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import org.junit.jupiter.api.Test;

class SupplyBookTest {
  private final SupplyBook book = new SupplyBook();
  private final RunSpec spec = TestingRuns.spec().build();

  @Test
  void boundsOnlyGrowAndTheEndFixesThem() {
    assertThat(book.offer(supply("a", 10, false))).isPresent();
    assertThat(book.offer(supply("a", 10, false))).isEmpty();
    assertThat(book.offer(supply("a", 4, false))).isEmpty();
    assertThat(book.of(spec))
        .containsExactly(new DomainSupply(10, false), new DomainSupply(0, false));
    assertThat(book.offer(supply("a", 8, true)).orElseThrow().getBlocks()).isEqualTo(10);
    assertThat(book.offer(supply("a", 12, false))).isEmpty();
    assertThat(book.offer(supply("a", 12, true))).isEmpty();
    assertThat(book.of(spec).get(0)).isEqualTo(new DomainSupply(10, true));
  }

  @Test
  void keepsDatasetsApart() {
    Supply otherName = Supply.newBuilder(supply("a", 5, false)).setDataset("papers").build();
    Supply otherPrint = Supply.newBuilder(supply("a", 5, false)).setFingerprint(1).build();
    book.offer(otherName);
    book.offer(otherPrint);
    assertThat(book.of(spec).get(0)).isEqualTo(DomainSupply.NONE);
    assertThat(SupplyBook.key(otherName)).isEqualTo("papers/4d/a/0");
    assertThat(SupplyBook.key(otherPrint)).isEqualTo("books/1/a/0");
  }

  @Test
  void refusesWhatCannotBeABound() {
    assertThatThrownBy(() -> book.offer(supply("a", -1, false)))
        .hasMessage("blocks must be at least 0: -1");
    assertThatThrownBy(
            () -> book.offer(Supply.newBuilder(supply("a", 1, false)).setLane(64).build()))
        .hasMessage("supply lane must be in [0, 63]: 64 of a");
  }
}
