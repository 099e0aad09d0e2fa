package io.sluice.jobs.topics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BlockBatchesTest {
  @ParameterizedTest
  @CsvSource({"1, 262144", "128, 262144", "512, 65536", "4096, 16384", "262144, 16384"})
  void aBatchOfEachDomainFitsIntoTheSameMemory(int domains, int bytes) {
    assertThat(BlockBatches.bytes(domains)).isEqualTo(bytes);
  }
}
