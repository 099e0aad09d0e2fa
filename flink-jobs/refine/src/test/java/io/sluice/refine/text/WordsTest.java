package io.sluice.refine.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class WordsTest {
  @Test
  void wordsAreRunsOfLettersAndDigitsWhateverTheirCase() {
    Words words = Words.of("  The cat, the CAT2!\n");

    assertThat(words.size()).isEqualTo(4);
    assertThat(words.hash(0)).isEqualTo(words.hash(2));
    assertThat(words.hash(1)).isNotEqualTo(words.hash(3));
    assertThat(Words.of("cat2").hash(0)).isEqualTo(words.hash(3));
  }

  @Test
  void charactersOfScriptsWithoutSpacesAreWords() {
    assertThat(Words.of("数据abc加载").size()).isEqualTo(5);
    assertThat(Words.of("한국어 데이터").size()).isEqualTo(2);
    assertThat(Words.of("e\u0301tude").size()).isEqualTo(1);
  }

  @Test
  void textsWithoutWordsHaveNone() {
    assertThat(Words.of("").grams(5)).isEmpty();
    assertThat(Words.of(" ,.! \ud800 ").grams(5)).isEmpty();
  }

  @Test
  void gramsAreRunsOfWords() {
    Words words = Words.of("a b c a b");

    assertThat(words.grams(2)).hasSize(4);
    assertThat(words.grams(2)[0]).isEqualTo(words.grams(2)[3]);
    assertThat(words.grams(2)[0]).isNotEqualTo(words.grams(2)[1]);
    assertThat(words.grams(9)).containsExactly(words.gram(0, 5));
    assertThat(Words.of("b a").grams(2)[0]).isNotEqualTo(words.grams(2)[0]);
    assertThatThrownBy(() -> words.grams(0))
        .hasMessage("n-grams must have at least 1 word: found 0");
  }
}
