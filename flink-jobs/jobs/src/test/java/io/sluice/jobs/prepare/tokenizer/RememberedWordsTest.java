package io.sluice.jobs.prepare.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.tokenizer.cut.TextCuts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RememberedWordsTest {
  private final List<String> asked = new ArrayList<>();

  /** A tokenizer of characters, before whose text the sign of a space may stand. */
  private byte[] characters(String text, boolean prepended) {
    String seen = prepended ? " " + text : text;
    TokenWriter tokens = new TokenWriter(2, seen.length());
    seen.chars().forEach(tokens::add);
    return tokens.toBytes();
  }

  private RememberedWords words(boolean withoutSpace) {
    return new RememberedWords(
        new TextCuts(TextCuts.WHOLE, true, withoutSpace),
        2,
        text -> {
          asked.add(text);
          return characters(text, withoutSpace);
        });
  }

  @Test
  void aWordThatComesOftenIsAskedForOnce() {
    RememberedWords words = words(false);
    for (int i = 0; i < 100; i++) {
      words.encode("one two\n\tthree");
    }
    assertThat(asked).containsExactly("one two\n\tthree", "one", " two\n\tthree");
  }

  @Test
  void whatComesOnceIsAskedForInOnePiece() {
    RememberedWords words = words(true);
    words.encode("known known");
    asked.clear();
    words.encode("some new words known more of these");
    assertThat(asked).containsExactly("some new words", "more of these");
  }

  @Test
  void aLongWordIsNotRemembered() {
    String longest = "x".repeat(RememberedWords.LONGEST);
    RememberedWords words = words(true);
    for (int i = 0; i < 3; i++) {
      words.encode(longest + " " + longest + "x");
    }
    assertThat(asked)
        .containsExactly(longest + " " + longest + "x", longest, longest + "x", longest + "x");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whateverIsRememberedTheTokensAreThoseOfTheWholeText(boolean withoutSpace) {
    RememberedWords words = words(withoutSpace);
    SplittableRandom random = new SplittableRandom(7);
    String[] parts = {
      " ", " ", " ", "  ", "\n", "a", "b", "the", "\u00e9", "\ud83d\ude00", "\u3042"
    };
    for (int n = 0; n < 20_000; n++) {
      StringBuilder text = new StringBuilder();
      IntStream.range(0, random.nextInt(40))
          .forEach(i -> text.append(parts[random.nextInt(parts.length)]));
      assertThat(words.encode(text.toString()))
          .as("text %d: '%s'", n, text)
          .isEqualTo(text.isEmpty() ? new byte[0] : characters(text.toString(), withoutSpace));
    }
  }
}
