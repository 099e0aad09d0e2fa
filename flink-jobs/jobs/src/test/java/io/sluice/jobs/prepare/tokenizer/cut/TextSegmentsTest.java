package io.sluice.jobs.prepare.tokenizer.cut;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextSegmentsTest {
  @Test
  void aShortTextIsOneSegment() {
    assertThat(TextSegments.end("one two", 0, 7)).isEqualTo(7);
    assertThat(TextSegments.end("one two", 4, 4)).isEqualTo(7);
  }

  @Test
  void cutsBeforeTheSpaceOfAWord() {
    assertThat(TextSegments.end("one two three", 0, 9)).isEqualTo(7);
    assertThat(TextSegments.end("one two three", 0, 7)).isEqualTo(7);
  }

  @Test
  void cutsAfterASingleLineBreak() {
    assertThat(TextSegments.end("one;\ntwo;\nthree", 0, 12)).isEqualTo(10);
    assertThat(TextSegments.end("aaaaaa\n\nbbbb", 0, 9)).isEqualTo(9);
  }

  @Test
  void doesNotCutAtASpaceThatAnotherTokenMayTake() {
    assertThat(TextSegments.end("aaaa  bbbb", 0, 8)).isEqualTo(8);
    assertThat(TextSegments.end("aaaaa 1234", 0, 8)).isEqualTo(8);
  }

  @Test
  void neverCutsACharacterInTwo() {
    assertThat(TextSegments.end("abc\uD83D\uDE80def", 0, 4)).isEqualTo(3);
  }
}
