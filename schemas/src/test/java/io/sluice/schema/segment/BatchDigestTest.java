package io.sluice.schema.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.ReadBatches;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BatchDigestTest {
  @Test
  void thePartsOfRanksAddUpToTheBatch() {
    Random random = new Random(7);
    long[] hashes = random.longs(24).toArray();
    long whole = BatchDigest.of(1 << 20, hashes);
    for (int ranks : new int[] {1, 2, 3, 8, 24}) {
      long sum = 0;
      int rows = hashes.length / ranks;
      for (int rank = 0; rank < ranks; rank++) {
        long[] own = new long[rows];
        System.arraycopy(hashes, rank * rows, own, 0, rows);
        sum += BatchDigest.of((1 << 20) + (long) rank * rows, own);
      }
      assertThat(sum).isEqualTo(whole);
    }
  }

  @Test
  void whatNoRankCanHaveReadIsRefused() {
    assertPossible(1, 1, 1);
    assertPossible(150, 1024, 1173);
    assertRefused(1, 0, 1, "read.digests must be of 1 to 1024 batches: 0");
    assertRefused(1, 1025, 2000, "read.digests must be of 1 to 1024 batches: 1025");
    assertRefused(0, 2, 7, "read.first must be in [1, 6]: 0");
    assertRefused(7, 2, 7, "read.first must be in [1, 6]: 7");
    assertRefused(Long.MAX_VALUE, 2, 7, "read.first must be in [1, 6]: 9223372036854775807");
    assertRefused(1, 2, Long.MIN_VALUE, "read.first must be in [1, -1]: 1");
  }

  private static void assertPossible(long first, int size, long batch) {
    BatchDigest.requirePossible(read(first, size), batch);
  }

  private static void assertRefused(long first, int size, long batch, String message) {
    assertThatThrownBy(() -> BatchDigest.requirePossible(read(first, size), batch))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static ReadBatches read(long first, int size) {
    return new ReadBatches(first, Collections.nCopies(size, 5L));
  }
}
