package io.sluice.jobs.prepare.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AscendingNumbersTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 127, 128, 16_383, 16_384, 1L << 40, Long.MAX_VALUE / 2})
  void numbersAreFoundWhereTheyWereAdded(long step) {
    AscendingNumbers numbers = new AscendingNumbers();
    assertThat(numbers.has(step)).isFalse();
    assertThat(numbers.add(step)).isTrue();
    assertThat(numbers.add(step)).isFalse();
    assertThat(numbers.add(2 * step)).isTrue();
    assertThat(numbers.add(1)).isFalse();

    assertThat(numbers.last()).isEqualTo(2 * step);
    assertThat(numbers.has(0)).isFalse();
    assertThat(numbers.has(step)).isTrue();
    assertThat(numbers.has(step)).isTrue();
    assertThat(numbers.has(2 * step - 1)).isEqualTo(step == 1);
    assertThat(numbers.has(2 * step)).isTrue();
    assertThat(numbers.has(2 * step + 1)).isFalse();
  }
}
