package io.sluice.control.supply;

import static io.sluice.control.controller.TestingRuns.supply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.controller.TestingRuns;
import io.sluice.mixture.decide.DomainSupply;
import io.sluice.mixture.decide.DomainSupply.Unsealed;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.run.Delivery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SealedIndexTest {
  private static final RunSpec STREAMED = TestingRuns.spec().build();
  private static final RunSpec DERIVED =
      RunSpec.newBuilder(STREAMED).setDelivery(Delivery.DERIVED).build();

  private final SupplyIndex index = new SupplyIndex();

  @Test
  void aDerivedRunCanUseWhatIsCommittedAndSealed() {
    index.offer(supply("a", 10, false));
    assertThat(index.of(STREAMED).get(0)).isEqualTo(new DomainSupply(10, false));
    assertThat(index.of(DERIVED).get(0))
        .isEqualTo(new DomainSupply(0, false, new Unsealed(10, false)));
    assertThat(index.sealed().offer(segment(0, 4, false))).isTrue();
    assertThat(index.of(DERIVED).get(0))
        .isEqualTo(new DomainSupply(4, false, new Unsealed(6, false)));
    assertThat(index.sealed().offer(segment(4, 9, false))).isTrue();
    assertThat(index.of(DERIVED).get(0)).isEqualTo(new DomainSupply(10, false));
    assertThat(index.of(DERIVED).get(1)).isEqualTo(new DomainSupply(0, false));
  }

  @Test
  void aLaneHasEndedForItOnceItsEndIsSealed() {
    index.offer(supply("a", 10, true));
    index.offer(supply("b", 0, true));
    index.sealed().offer(segment(0, 10, false));
    assertThat(index.of(DERIVED))
        .containsExactly(
            new DomainSupply(10, false, new Unsealed(0, true)), new DomainSupply(0, true));
    index.sealed().offer(segment(0, 10, true));
    assertThat(index.of(DERIVED).get(0)).isEqualTo(new DomainSupply(10, true));
  }

  @Test
  void isTakenUpFromWhatWasKept() {
    index.offer(supply("a", 100, true));
    Segment first = segment(0, 4, false);
    index.sealed().offer(first);
    index.sealed().offer(segment(60, 40, true));
    byte[] kept = index.sealed().kept(first);
    SupplyIndex next = new SupplyIndex();
    next.offer(supply("a", 100, true));
    next.sealed().restore(kept);
    assertThat(next.of(DERIVED)).isEqualTo(index.of(DERIVED));
    next.sealed().offer(segment(4, 56, false));
    assertThat(next.of(DERIVED).get(0)).isEqualTo(new DomainSupply(100, true));
    assertThat(SealedIndex.key(first)).isEqualTo("books/4d/a/0");
  }

  @Test
  void readsWhatVersion1Kept() throws IOException {
    index.offer(supply("a", 100, true));
    try (var bytes = getClass().getResourceAsStream("/supply/sealed-v1.hex")) {
      index
          .sealed()
          .restore(
              HexFormat.of()
                  .parseHex(new String(bytes.readAllBytes(), StandardCharsets.US_ASCII).strip()));
    }
    assertThat(index.of(DERIVED).get(0))
        .isEqualTo(new DomainSupply(4, false, new Unsealed(96, true)));
    index.sealed().offer(segment(4, 56, false));
    assertThat(index.of(DERIVED).get(0)).isEqualTo(new DomainSupply(100, true));
  }

  @Test
  void refusesWhatCannotBeASegment() {
    assertThatThrownBy(() -> index.sealed().offer(segment(0, 0, false)))
        .hasMessage(
            "segment must have at least 1 row, the first of them at least 0: 0 from 0 of a");
    assertThatThrownBy(() -> index.sealed().offer(segment(-1, 3, false)))
        .hasMessageEndingWith("3 from -1 of a");
    assertThatThrownBy(() -> index.sealed().offer(segment(Long.MAX_VALUE, 1, false)))
        .hasMessageStartingWith("segment must have");
    Segment segment = segment(0, 1, false);
    segment.setLane(64);
    assertThatThrownBy(() -> index.sealed().offer(segment))
        .hasMessage("segment lane must be in [0, 63]: 64 of a");
    segment.setDomain("a/b");
    assertThatThrownBy(() -> index.sealed().offer(segment)).hasMessageStartingWith("domain must");
  }

  private static Segment segment(long first, int rows, boolean ended) {
    StoredPart part = new StoredPart("books/0.rows", 0L, 1L, "");
    return Segment.newBuilder()
        .setDataset(STREAMED.getDataset())
        .setFingerprint(STREAMED.getFingerprint())
        .setDomain("a")
        .setLane(0)
        .setFirst(first)
        .setRows(rows)
        .setEnded(ended)
        .setData(part)
        .setSide(part)
        .setTimeMillis(0)
        .build();
  }
}
