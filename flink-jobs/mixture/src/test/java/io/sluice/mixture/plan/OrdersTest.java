package io.sluice.mixture.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrdersTest {
  @Test
  void holdsEachDomainAsOftenAsItsCount() {
    int[] counts = {3, 0, 5, 1};
    int[] times = new int[counts.length];
    for (int domain : BatchOrder.order(7, 0, 12, counts)) {
      times[domain]++;
    }
    assertThat(times).isEqualTo(counts);
  }

  @Test
  void isTheSameForTheSameKeyAndAnotherForAnyOther() {
    int[] counts = {20, 20, 20};
    int[] order = BatchOrder.order(7, 0, 12, counts);
    assertThat(BatchOrder.order(7, 0, 12, counts)).isEqualTo(order);
    assertThat(BatchOrder.order(8, 0, 12, counts)).isNotEqualTo(order);
    assertThat(BatchOrder.order(7, 1, 12, counts)).isNotEqualTo(order);
    assertThat(BatchOrder.order(7, 0, 13, counts)).isNotEqualTo(order);
  }

  /** The stream of every run depends on these values: a change needs a new version of the order. */
  @Test
  void isWhatVersionOneAlwaysMade() {
    assertThat(BatchOrder.order(42, 0, 1, new int[] {4, 3, 1}))
        .containsExactly(0, 1, 1, 0, 2, 1, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 63, 64, 65, 128, 200, 1000})
  void readsEveryBlockOnceInEachEpoch(long size) {
    EpochOrder order = EpochOrder.ended(9, 2, 0, size);
    for (int epoch = 0; epoch < 3; epoch++) {
      Set<Long> seen = new HashSet<>();
      for (long ordinal = epoch * size; ordinal < (epoch + 1) * size; ordinal++) {
        assertThat(order.epochOf(ordinal)).isEqualTo(epoch);
        EpochOrder.Chunk chunk = order.chunkAt(ordinal);
        assertThat(ordinal).isBetween(chunk.firstOrdinal(), chunk.end() - 1);
        long block = chunk.blockAt(ordinal);
        assertThat(block).isBetween(0L, size - 1);
        seen.add(block);
        if (epoch == 0) {
          assertThat(block).isEqualTo(ordinal);
        }
      }
      assertThat(seen).hasSize((int) size);
    }
  }

  @Test
  void readsLaterEpochsInAnotherOrder() {
    EpochOrder order = EpochOrder.ended(9, 2, 0, 64);
    assertThat(order.chunkAt(64).order()).isNotEqualTo(order.chunkAt(0).order());
    assertThat(order.chunkAt(128).order()).isNotEqualTo(order.chunkAt(64).order());
  }

  @Test
  void readsAGrowingDomainInItsOwnOrder() {
    EpochOrder order = EpochOrder.growing(9, 2);
    assertThat(order.chunkAt(1_000_000_007L).blockAt(1_000_000_007L)).isEqualTo(1_000_000_007L);
    assertThat(order.epochOf(1_000_000_007L)).isZero();
  }
}
