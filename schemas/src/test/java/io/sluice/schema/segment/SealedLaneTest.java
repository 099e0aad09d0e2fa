package io.sluice.schema.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.segment.SealedLane.Span;
import org.junit.jupiter.api.Test;

final class SealedLaneTest {
  private final SealedLane lane = new SealedLane();

  @Test
  void keepsOneSpanForEachGap() {
    for (int first = 10; first < 100; first += 10) {
      assertThat(lane.take(first, 10, false)).isTrue();
    }
    lane.take(120, 5, true);
    assertThat(lane.spans()).containsExactly(new Span(10, 90, false), new Span(120, 5, true));
    assertThat(lane.rows()).isZero();
    assertThat(lane.take(0, 10, false)).isTrue();
    assertThat(lane.rows()).isEqualTo(100);
    assertThat(lane.ended()).isFalse();
    assertThat(lane.take(98, 22, false)).isTrue();
    assertThat(lane.spans()).containsExactly(new Span(0, 125, true));
    assertThat(lane.ended()).isTrue();
  }

  @Test
  void whatItHasSaysNothingNew() {
    lane.take(0, 10, false);
    assertThat(lane.take(0, 10, false)).isFalse();
    assertThat(lane.take(3, 4, false)).isFalse();
    assertThat(lane.rows()).isEqualTo(10);
    assertThat(lane.take(3, 7, true)).isTrue();
    assertThat(lane.ended()).isTrue();
    assertThat(lane.take(3, 7, true)).isFalse();
  }

  @Test
  void forgetsTheLastOfMoreGapsThanItKeeps() {
    for (long first = 2; first <= 2L * SealedLane.MOST_GAPS + 2; first += 2) {
      lane.take(first, 1, false);
    }
    assertThat(lane.spans())
        .hasSize(SealedLane.MOST_GAPS)
        .doesNotContain(new Span(2L * SealedLane.MOST_GAPS + 2, 1, false));
  }
}
