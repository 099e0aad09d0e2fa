package io.sluice.jobs.prepare.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.domain.TextSpans;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainedSpansTest {
  private static final Tokenizer BYTES = Tokenizers.forName("bytes");

  @Test
  void spansAreInCodePointsAndTokensInBytes() {
    assertThat(counted("\uD83D\uDE00é: abc", List.of(4, 7), BYTES)).containsExactly(0, 8, 3);
    assertThat(counted("\uD83D\uDE00é: abc", List.of(0, 1, 1, 2), BYTES))
        .containsExactly(0, 0, 4, 0, 2);
    assertThat(counted("abc", List.of(), BYTES)).containsExactly(0);
    assertThat(counted("abc", null, BYTES)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"r50k_base", "cl100k_base"})
  void aTokenOnBothSidesBelongsToWhatComesAfter(String name) {
    Tokenizer tokenizer = Tokenizers.forName(name);
    String text = "The answer is forty-two";
    int prompt = "The answer is fort".length();
    int[] runs = counted(text, List.of(prompt, text.length()), tokenizer);
    int width = tokenizer.vocabulary().tokenWidth();
    int whole = tokenizer.encode(text).length / width;

    assertThat(runs[0]).isZero();
    assertThat(runs[1] + runs[2]).isEqualTo(whole);
    byte[] before = Arrays.copyOf(tokenizer.encode(text), runs[1] * width);
    byte[] alone = tokenizer.encode(text.substring(0, prompt));
    assertThat(Arrays.copyOf(alone, before.length)).isEqualTo(before);
    assertThat(runs[1]).isGreaterThanOrEqualTo(3);
  }

  private static int[] counted(String text, @Nullable List<Integer> spans, Tokenizer tokenizer) {
    List<Integer> bounds = TextSpans.bounds(spans, text);
    return TrainedSpans.counted(bounds, text, tokenizer.encode(text), tokenizer);
  }
}
