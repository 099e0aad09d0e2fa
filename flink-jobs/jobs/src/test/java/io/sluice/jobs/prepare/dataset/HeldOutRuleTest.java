package io.sluice.jobs.prepare.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldOutRuleTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.1, 0.5, 0.99})
  void holdsOutTheShare(double share) {
    HeldOutRule split = new HeldOutRule(share, 1);

    long heldOut = IntStream.range(0, 50_000).filter(i -> heldOut(split, "document " + i)).count();

    assertThat(heldOut / 50_000.0).isBetween(share - 0.007, share + 0.007);
  }

  @Test
  void nothingIsHeldOutAtZero() {
    HeldOutRule split = new HeldOutRule(0, 1);

    assertThat(IntStream.range(0, 10_000)).noneMatch(i -> heldOut(split, "document " + i));
  }

  @Test
  void aLargerShareKeepsWhatASmallerOneHeldOut() {
    HeldOutRule small = new HeldOutRule(0.05, 1);
    HeldOutRule large = new HeldOutRule(0.06, 1);

    assertThat(
            IntStream.range(0, 10_000)
                .mapToObj(i -> "document " + i)
                .filter(text -> heldOut(small, text)))
        .isNotEmpty()
        .allMatch(text -> heldOut(large, text));
  }

  @Test
  void theSidesArePartOfTheFormat() {
    HeldOutRule split = new HeldOutRule(0.1, 1);

    assertThat(IntStream.range(0, 40).filter(i -> heldOut(split, "document " + i)).boxed())
        .containsExactly(2, 8, 9, 23);
  }

  @Test
  void theSidesOfTheSecondVersionArePartOfTheFormat() {
    HeldOutRule split = new HeldOutRule(0.1, 2);

    assertThat(IntStream.range(0, 40).filter(i -> heldOut(split, "document " + i)).boxed())
        .containsExactly(8, 11, 16, 23, 26, 31, 39);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Ein Text,\r\n  der zweimal da ist.\n\n",
        "EIN TEXT,\tder zweimal da ist.",
        "\uFEFFEin\u00A0Text, der zwei\u00ADmal da\u3000ist.\u0000",
        "Ein Text, der zweimal\u2028da\u200B ist.",
      })
  void aCopyThatIsSetOtherwiseIsOnTheSideOfTheOriginal(String copy) {
    String original = "Ein Text, der zweimal da ist.";
    HeldOutRule ofText = new HeldOutRule(0.5, 1);
    HeldOutRule normalized = new HeldOutRule(0.5, 2);

    assertThat(ofText.hash(copy)).isNotEqualTo(ofText.hash(original));
    assertThat(normalized.hash(copy)).isEqualTo(normalized.hash(original));
  }

  @Test
  void anotherWordOrAnotherLetterIsAnotherText() {
    HeldOutRule rule = new HeldOutRule(0.5, 2);

    assertThat(Stream.of("one", "two", "on\u00E9", "on\u00C9", "one.", "").map(rule::hash))
        .doesNotHaveDuplicates();
  }

  private static boolean heldOut(HeldOutRule rule, String text) {
    return rule.isHeldOut(rule.hash(text));
  }
}
