package io.sluice.mixture.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SelectionTest {
  @Test
  void theSmallestComeFirstWhateverTheOrder() {
    Random random = new Random(7);
    for (int length : new int[] {1, 2, 31, 33, 100, 1000, 4096}) {
      long[] shuffled = random.longs(length, -(1L << 60), 1L << 60).distinct().toArray();
      long[] ascending = LongStream.range(0, length).toArray();
      long[] descending = LongStream.range(0, length).map(i -> -i).toArray();
      long[] organPipe = LongStream.range(0, length).map(i -> i % 2 == 0 ? i : -i).toArray();
      for (long[] values : new long[][] {shuffled, ascending, descending, organPipe}) {
        for (int count : new int[] {0, 1, length / 3, length / 2, length - 1, length}) {
          long[] selected = values.clone();
          Selection.smallest(selected, length, count);
          long[] sorted = values.clone();
          Arrays.sort(sorted);
          assertThat(Arrays.stream(selected).limit(count).sorted().toArray())
              .as("%s of %s", count, length)
              .isEqualTo(Arrays.copyOf(sorted, count));
          assertThat(Arrays.stream(selected).sorted().toArray()).isEqualTo(sorted);
        }
      }
    }
  }

  @Test
  void whatLiesBehindTheLengthStays() {
    long[] values = {3, 2, 1, 0};
    Selection.smallest(values, 3, 1);
    assertThat(values[0]).isEqualTo(1);
    assertThat(values[3]).isZero();
  }
}
