package io.sluice.lab.reproduce.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ByteEntropyTest {
  @Test
  void isInNats() {
    assertThat(ByteEntropy.of(List.of(new Passage("a", "abab"), new Passage("b", "ba"))))
        .isCloseTo(Math.log(2), within(1e-12));
    assertThat(ByteEntropy.of(List.of(new Passage("a", "aaaa")))).isZero();
    assertThat(ByteEntropy.of(List.of(new Passage("a", "ä"))))
        .isCloseTo(Math.log(2), within(1e-12));
    assertThat(ByteEntropy.of(List.of())).isNaN();
  }
}
