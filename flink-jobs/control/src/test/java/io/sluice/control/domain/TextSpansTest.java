package io.sluice.control.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextSpansTest {
  @Test
  void boundsAreInUnitsOfJava() {
    assertThat(TextSpans.bounds(List.of(0, 1, 2, 3), "\uD83D\uDE00ab")).containsExactly(0, 2, 3, 4);
    assertThat(TextSpans.bounds(List.of(), "")).isEmpty();
    assertThat(TextSpans.bounds(null, "ab")).isNull();
  }

  @Test
  void whatIsNotAscendingInTheTextIsRefused() {
    assertRefused(
        "trained must have a start and an end for each of at most 256 spans: found 1 numbers", 0);
    assertRefused(
        "trained[0] must lie in the text, not before the last span's end: found -1", -1, 2);
    assertRefused("trained[1] must lie in the text, after the span's start: found 4", 0, 4);
    assertRefused("trained[1] must lie in the text, after the span's start: found 1", 1, 1);
    assertRefused(
        "trained[2] must lie in the text, not before the last span's end: found 1", 0, 2, 1, 3);
    assertRefused(
        "trained[1] must lie in the text, after the span's start: found 2147483647",
        0,
        Integer.MAX_VALUE);
    assertThatThrownBy(() -> TextSpans.bounds(Collections.nCopies(514, 0), "abc"))
        .hasMessageContaining("at most 256 spans: found 514 numbers");
    assertThatThrownBy(
            () -> TextSpans.bounds(List.of(0, 40 << 20, 40 << 20, 41 << 20), "a".repeat(41 << 20)))
        .hasMessageStartingWith("the texts before the ends of spans must have at most 67108864");
  }

  private static void assertRefused(String message, Integer... spans) {
    assertThatThrownBy(() -> TextSpans.bounds(List.of(spans), "ab\uD83D\uDE00"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
