package io.sluice.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;

final class LimitsTest {
  @Test
  void refusesATextWithItsKeyItsRangeAndItsBeginning() {
    assertThat(Limits.requireText("reason", "x".repeat(5), 0, 5)).hasSize(5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.requireText("reason", "x".repeat(1 << 20), 0, Limits.TEXT))
        .withMessage("reason must have 0 to 1000 characters: 1048576, '" + "x".repeat(79) + "…'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.requireText("holder", "", 1, Limits.NONCE))
        .withMessage("holder must have 1 to 128 characters: 0");
  }

  @Test
  void shortensWithoutCuttingACharacterInTwo() {
    assertThat(Limits.shortened("abcdef", 6)).isEqualTo("abcdef");
    assertThat(Limits.shortened("abcdefg", 6)).isEqualTo("abcde…");
    assertThat(Limits.shortened("abcd\uD83D\uDE00fg", 6)).isEqualTo("abcd…");
  }

  @Test
  void refusesARecordThatItsTopicWouldNotTake() {
    assertThatNoException()
        .isThrownBy(() -> Limits.requireRecord("it", new byte[Limits.RECORD_BYTES]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.requireRecord("entry 7", new byte[Limits.RECORD_BYTES + 1]))
        .withMessage("entry 7 must have at most 1000000 bytes: 1000001");
  }

  @Test
  void aDeadLetterFitsItsTopicWhateverItIsOf() {
    String huge = "€".repeat(17 << 20);
    DeadLetter letter = DeadLetters.of("mix", huge, 0, 1, huge, new byte[17 << 20], 0);
    assertThat(WireCodec.encode(letter)).hasSizeLessThan(Limits.RECORD_BYTES);
  }
}
