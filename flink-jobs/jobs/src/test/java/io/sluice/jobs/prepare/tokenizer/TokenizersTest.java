package io.sluice.jobs.prepare.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenizersTest {
  private static final String TEXT =
      "The quick brown fox — d\u00E9j\u00E0 vu \uD83D\uDE80\uD83E\uDDEA, 1234567\n\n  return x;\t";

  static List<String> names() {
    return Tokenizers.names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void decodingGivesTheTextBack(String name) {
    try (Tokenizer tokenizer = Tokenizers.forName(name)) {
      assertThat(tokenizer.decode(ids(tokenizer, TEXT))).isEqualTo(TEXT);
      assertThat(tokenizer.encode("")).isEmpty();
      assertThat(tokenizer.identity()).isEqualTo(name);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void namesOfControlTokensAreOrdinaryText(String name) {
    String text = "a<|endoftext|>b<|endofprompt|><|fim_prefix|>";
    try (Tokenizer tokenizer = Tokenizers.forName(name)) {
      int[] ids = ids(tokenizer, text);

      assertThat(tokenizer.decode(ids)).isEqualTo(text);
      assertThat(Arrays.stream(ids)).allMatch(id -> id < tokenizer.vocabulary().endOfDocument());
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void specialTokensDecodeToNothing(String name) {
    try (Tokenizer tokenizer = Tokenizers.forName(name)) {
      Vocabulary vocabulary = tokenizer.vocabulary();

      assertThat(tokenizer.decode(new int[] {vocabulary.endOfDocument(), vocabulary.padding()}))
          .isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "bytes, 258, 256, 257, 2",
    "r50k_base, 50257, 50256, 50256, 2",
    "cl100k_base, 100277, 100257, 100257, 4",
    "o200k_base, 200019, 199999, 199999, 4"
  })
  void vocabulariesAreThePublishedOnes(
      String name, int size, int endOfDocument, int padding, int width) {
    Vocabulary vocabulary = Tokenizers.forName(name).vocabulary();

    assertThat(vocabulary).isEqualTo(new Vocabulary(size, endOfDocument, padding));
    assertThat(vocabulary.tokenWidth()).isEqualTo(width);
  }

  @Test
  void tokensAreThePublishedOnes() {
    assertThat(ids(Tokenizers.forName("r50k_base"), "hello world")).containsExactly(31373, 995);
    assertThat(ids(Tokenizers.forName("cl100k_base"), "hello world")).containsExactly(15339, 1917);
    assertThat(ids(Tokenizers.forName("o200k_base"), "hello world")).containsExactly(24912, 2375);
  }

  @Test
  void bytesAreUtf8() {
    assertThat(ids(Tokenizers.forName("bytes"), "a\u00E9\uD83D\uDE80"))
        .containsExactly('a', 0xC3, 0xA9, 0xF0, 0x9F, 0x9A, 0x80);
  }

  @ParameterizedTest
  @ValueSource(strings = {"r50k_base", "cl100k_base", "o200k_base"})
  void aLongTextHasTheTokensOfItsPieces(String name) {
    String sentence = " The quick brown fox jumps over the lazy dog,\n27 times;\nthen (rests).";
    int repeats = (3 << 18) / sentence.length();
    try (Tokenizer tokenizer = Tokenizers.forName(name)) {
      byte[] one = tokenizer.encode(sentence);

      byte[] all = tokenizer.encode(sentence.repeat(repeats));

      assertThat(all).hasSize(one.length * repeats);
      assertThat(Arrays.copyOfRange(all, all.length - one.length, all.length)).isEqualTo(one);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"r50k_base", "cl100k_base", "o200k_base"})
  void aTextThatIsOneWordComesBack(String name) {
    String word = "\uD83D\uDE80" + "y".repeat(200_000);
    try (Tokenizer tokenizer = Tokenizers.forName(name)) {
      assertThat(tokenizer.decode(ids(tokenizer, word))).isEqualTo(word);
    }
  }

  @Test
  void refusesUnknownNames() {
    assertThatThrownBy(() -> Tokenizers.forName("gpt9"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "tokenizer must be one of bytes, r50k_base, cl100k_base, o200k_base,"
                + " file:<path of a tokenizer.json>, or hf:ORG/NAME@REVISION: 'gpt9'");
  }

  @Test
  void aModelThatIsNotInTheCacheIsRefusedWithTheCommandThatFetchesIt() {
    assertThatThrownBy(() -> Tokenizers.forName("hf:acme/there-is-no-such-model@main"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("models--acme--there-is-no-such-model")
        .hasMessageContaining(
            "'hf download acme/there-is-no-such-model tokenizer.json --revision main'");
  }

  static int[] ids(Tokenizer tokenizer, String text) {
    byte[] tokens = tokenizer.encode(text);
    int width = tokenizer.vocabulary().tokenWidth();
    int[] ids = new int[tokens.length / width];
    for (int i = 0; i < tokens.length; i++) {
      ids[i / width] |= (tokens[i] & 0xFF) << (8 * (i % width));
    }
    return ids;
  }
}
