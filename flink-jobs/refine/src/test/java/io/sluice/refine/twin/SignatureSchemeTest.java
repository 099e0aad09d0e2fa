package io.sluice.refine.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.error.BadInputException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class SignatureSchemeTest {
  private static final SignatureScheme SCHEME = SignatureScheme.DEFAULT;
  private static final String WRITTEN =
      "01020302" + "6d67a445d1e5c7d98997d412fd71e5eb" + "2936a026f3153241ffe2b525";

  @Test
  void theSameTextHasTheSameBytes() {
    Signature one = SCHEME.sign("a b c d e f g");

    assertThat(SCHEME.sign("a b c d e f g").bytes()).isEqualTo(one.bytes()).hasSize(300);
    assertThat(one.sameText(SCHEME.sign("a b c d e f g."))).isFalse();
    assertThat(one.similarity(SCHEME.sign("A, b c d e f g."))).isEqualTo(1);
    assertThat(one.similarity(SCHEME.sign("other words that are not in it"))).isZero();
  }

  @Test
  void isReadAsItWasWritten() {
    Signature signature = SCHEME.sign("a b c d e f g");
    Signature read = SCHEME.read(ByteBuffer.wrap(signature.bytes()));

    assertThat(read.sameText(signature)).isTrue();
    assertThat(read.similarity(signature)).isEqualTo(1);
    assertThat(read.band(19)).isEqualTo(signature.band(19)).isNotEqualTo(signature.band(18));
    assertThat(SCHEME.read(ByteBuffer.wrap(SCHEME.sign("...").bytes())).hasWords()).isFalse();
  }

  @Test
  void oldBytesAreStillMade() {
    SignatureScheme small = new SignatureScheme(2, 3, 2);

    assertThat(HexFormat.of().formatHex(small.sign("The cat sat on the mat.").bytes()))
        .isEqualTo(WRITTEN);
    assertThat(small.read(ByteBuffer.wrap(HexFormat.of().parseHex(WRITTEN))).band(2))
        .isEqualTo(small.sign("the cat sat on the mat").band(2));
  }

  @Test
  void estimatesTheSimilarity() {
    TestingTexts texts = new TestingTexts(1);
    double error = 0;
    for (int i = 0; i < 200; i++) {
      String[] words = texts.words(300);
      String[] changed = texts.changed(words, 1 + texts.below(8), 10);
      double similarity = TestingTexts.similarity(words, changed);
      double estimated = sign(words).similarity(sign(changed));
      assertThat(estimated).isCloseTo(similarity, within(0.2));
      error += estimated - similarity;
    }
    assertThat(error / 200).isCloseTo(0, within(0.01));
  }

  @Test
  void candidatesAreLikelyFromASimilarityOn() {
    assertThat(SCHEME.candidates(0.8)).isCloseTo(0.991, within(0.001));
    assertThat(SCHEME.candidates(0.5)).isCloseTo(0.145, within(0.001));
    assertThat(SCHEME.candidates(0)).isZero();
  }

  @Test
  void hostileTextsHaveSignatures() {
    assertThat(SCHEME.sign("").hasWords()).isFalse();
    assertThat(SCHEME.sign("\ud800").hasWords()).isFalse();
    assertThat(SCHEME.sign("x").hasWords()).isTrue();
    Signature same = SCHEME.sign("word ".repeat(1_000_000));
    assertThat(same.similarity(SCHEME.sign("word ".repeat(5)))).isEqualTo(1);
    String common = TestingTexts.text(new TestingTexts(2).words(100)) + " ";
    assertThat(SCHEME.sign(common.repeat(2)).similarity(SCHEME.sign(common.repeat(5_000))))
        .isEqualTo(1);
    assertThat(SCHEME.sign("a".repeat(1_000_000)).bytes()).hasSize(300);
    assertThat(SCHEME.sign("数".repeat(100_000)).similarity(same)).isZero();
  }

  @Test
  void refusesWhatIsNone() {
    assertThatThrownBy(() -> new SignatureScheme(0, 20, 7))
        .isInstanceOf(BadInputException.class)
        .hasMessage("words of an n-gram of signatures must be 1 to 64: found 0");
    assertThatThrownBy(() -> new SignatureScheme(5, 100, 11))
        .hasMessage("components, bands times rows, of signatures must be 1 to 1000: found 1100");
    assertThatThrownBy(() -> SCHEME.read(ByteBuffer.allocate(300)))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "a signature must be of version 1, of 5 words, 20 bands, 7 rows:"
                + " found version 0, 0 words, 0 bands, 0 rows");
    assertThatThrownBy(() -> SCHEME.read(ByteBuffer.allocate(19)))
        .isInstanceOf(BadInputException.class)
        .hasMessageEndingWith("found 19 bytes");
  }

  private static Signature sign(String[] words) {
    return SCHEME.sign(TestingTexts.text(words));
  }
}
