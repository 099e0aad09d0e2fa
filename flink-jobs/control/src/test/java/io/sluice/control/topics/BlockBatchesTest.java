package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BlockBatchesTest {
  @ParameterizedTest
  @CsvSource({"1, 278528", "128, 278528", "512, 69632", "4096, 17408", "262144, 17408"})
  void aBatchOfEachDomainFitsIntoTheSameMemory(int domains, int bytes) {
    assertThat(BlockBatches.bytes(domains)).isEqualTo(bytes);
  }

  @Test
  void twoBlocksOfTwoThousandTokensFitIntoTheSmallest() {
    int block = 2_048 * 4 + 200;
    assertThat(BlockBatches.bytes(4_096)).isGreaterThan(2 * block);
  }

  @ParameterizedTest
  @CsvSource({"1, 524288, 557056", "512, 400000, 417792", "4096, 49152, 52224", "4096, 1, 17408"})
  void aFetchBringsWholeBatches(int domains, long most, int bytes) {
    assertThat(BlockBatches.fetchBytes(domains, most))
        .isEqualTo(bytes)
        .satisfies(fetch -> assertThat(fetch % BlockBatches.bytes(domains)).isZero());
  }
}
