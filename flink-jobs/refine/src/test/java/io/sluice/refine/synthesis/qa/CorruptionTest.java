package io.sluice.refine.synthesis.qa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class CorruptionTest {
  /** After the paper's example in appendix H. */
  private static final String TEXT =
      "Sodium (Na) reacts with chlorine (Cl2). The number of chlorine atoms is equal before and"
          + " after: 2Na + Cl2 == 2NaCl. Chlorine is a small, common gas of 71 grams.";

  @Test
  void spoilsNumbersNounsAndAdjectivesAlikeForTheSameDocument() {
    Corruption most = new Corruption(.7, 1);
    String spoilt = most.of(TEXT, "document");

    assertThat(most.of(TEXT, "document")).isEqualTo(spoilt).isNotEqualTo(TEXT);
    assertThat(most.of(TEXT, "other")).isNotEqualTo(spoilt);
    assertThat(new Corruption(.7, 2).of(TEXT, "document")).isNotEqualTo(spoilt);
    assertThat(new Corruption(0, 1).of(TEXT, "document")).isSameAs(TEXT);
    assertThat(spoilt.replaceAll("[\\p{L}\\d]", "")).isEqualTo(TEXT.replaceAll("[\\p{L}\\d]", ""));
  }

  @Test
  void aWordIsReplacedWhereverItStandsAndKeepsItsCase() {
    for (int document = 0; document < 20; document++) {
      String spoilt = new Corruption(.5, document).of("Chlorine, chlorine, CHLORINE", "d");
      String[] words = spoilt.split(", ", -1);
      assertThat(words[0]).isEqualTo(capital(words[1]));
      assertThat(words[2]).isEqualTo(words[1].toUpperCase(Locale.ROOT));
    }
  }

  @Test
  void theLevelIsTheShareAndHigherLevelsSpoilWhatLowerOnesDo() {
    String numbers = "31 ".repeat(10_000);
    double before = 0;
    for (double level : new double[] {.3, .4, .5, .6, .7}) {
      String spoilt = new Corruption(level, 1).of(numbers, "d");
      double share = 1 - Pattern.compile("31 ").matcher(spoilt).results().count() / 1e4;
      assertThat(share).isCloseTo(level, within(.02)).isGreaterThan(before);
      before = share;
      assertThat(spoilt).doesNotContain(" 0").hasSameSizeAs(numbers);
    }
    String[] low = new Corruption(.3, 1).of(numbers, "d").split(" ", -1);
    String[] high = new Corruption(.7, 1).of(numbers, "d").split(" ", -1);
    for (int i = 0; i < low.length; i++) {
      assertThat(low[i].equals("31") || low[i].equals(high[i])).isTrue();
    }
  }

  @Test
  void refusesLevelsThatThePaperDoesNotHave() {
    assertThatThrownBy(() -> new Corruption(.71, 0))
        .hasMessage("--corruption must be from 0 to 0.7: 0.71");
    assertThatThrownBy(() -> new Corruption(Double.NaN, 0)).hasMessageContaining("NaN");
  }

  private static String capital(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }
}
