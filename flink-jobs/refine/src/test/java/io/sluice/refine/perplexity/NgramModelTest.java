package io.sluice.refine.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.text.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NgramModelTest {
  private static final int VOCABULARY = 300;

  @TempDir private Path folder;

  /** The second has no room for what it is trained on. */
  @ParameterizedTest
  @CsvSource({"1, 1000000", "2, 1000000", "3, 1000000", "5, 1000000", "3, 1500", "5, 2500"})
  void probabilitiesOfAllWordsAddUpToOne(int order, int mostNgrams) {
    NgramModel model = trained(new NgramSettings(order, mostNgrams, 4096));

    for (String context : List.of("", "w1 ", "w7 w7 ", "never seen ", "w2 w3 w5 w8 ", "seen w4 ")) {
      int before = Words.of(context).size();
      double sum =
          IntStream.range(0, VOCABULARY)
              .mapToDouble(word -> model.probability(Words.of(context + "w" + word), before))
              .sum();
      double unknown = model.probability(Words.of(context + "unknown"), before);
      assertThat(sum + (NgramModel.OPEN_VOCABULARY - VOCABULARY) * unknown)
          .as("after '%s'", context)
          .isCloseTo(1, within(1e-4));
    }
  }

  @Test
  void keepsAtMostAsManyNgramsAsItMay() {
    NgramModel bounded = trained(new NgramSettings(3, 1500, 4096));
    NgramModel whole = trained(new NgramSettings(3, 1_000_000, 4096));

    assertThat(bounded.ngrams().stream().mapToInt(n -> n).sum()).isLessThanOrEqualTo(1500);
    assertThat(whole.ngrams().stream().mapToInt(n -> n).sum()).isGreaterThan(3000);
    Words heldOut = new ChainTexts(1, VOCABULARY).next(4096);
    assertThat(perplexity(bounded, heldOut)).isGreaterThan(perplexity(whole, heldOut));
  }

  /** By hand: a b a c, with the discounts 1/2, 1 and 3/2 that such counts fall back to. */
  @Test
  void followsTheFormula() {
    NgramTrainer trainer = new NgramTrainer(new NgramSettings(2, 1000, 10));
    trainer.add(Words.of("a b a c"));
    NgramModel model = trainer.model();

    // Different words before a: b; before b: a; before c: a. So each has (1 - 1/2) / 3.
    double left = 1.5 / 3;
    double word = 0.5 / 3 + left / NgramModel.OPEN_VOCABULARY;
    assertThat(model.probability(Words.of("b"), 0)).isCloseTo(word, within(1e-8));
    // After a were b and c, each once: (1 - 1/2) / 2, and 2 * 1/2 / 2 for words alone.
    assertThat(model.probability(Words.of("a b"), 1)).isCloseTo(0.25 + 0.5 * word, within(1e-7));
    assertThat(model.probability(Words.of("a a"), 1)).isCloseTo(0.5 * word, within(1e-7));
    assertThat(model.probability(Words.of("a d"), 1))
        .isCloseTo(0.5 * left / NgramModel.OPEN_VOCABULARY, within(1e-12));
    double both = word * (0.25 + 0.5 * word);
    assertThat(model.perplexity(Words.of("a b")).orElseThrow())
        .isCloseTo(1 / Math.sqrt(both), within(1e-4));
  }

  @Test
  void textsOfItsOwnDomainAreEasier() {
    NgramModel model = trained(NgramSettings.STANDARD);
    ChainTexts own = new ChainTexts(1, VOCABULARY);
    ChainTexts other = new ChainTexts(2, VOCABULARY);
    for (int i = 0; i < 100; i++) {
      assertThat(perplexity(model, own.next(50))).isLessThan(perplexity(model, other.next(50)));
    }
    // The chain's own: a half, a quarter, an eighth and an eighth.
    assertThat(perplexity(model, own.next(4096))).isBetween(3.3, 6.0);
  }

  @Test
  void everyTextWithWordsHasAFinitePerplexity() {
    NgramModel model = trained(NgramSettings.STANDARD);
    NgramModel empty = new NgramTrainer(NgramSettings.STANDARD).model();

    assertThat(model.perplexity(Words.of(" ,. "))).isEmpty();
    assertThat(perplexity(empty, Words.of("a b")))
        .isCloseTo(NgramModel.OPEN_VOCABULARY, within(1e-3));
    for (String text : List.of("x", "\ud800x\u0000y", "数据".repeat(9000), "a ".repeat(9000))) {
      assertThat(perplexity(model, Words.of(text))).isFinite().isPositive();
    }
    NgramTrainer monotone = new NgramTrainer(NgramSettings.STANDARD);
    monotone.add(Words.of("a ".repeat(100_000)));
    assertThat(perplexity(monotone.model(), Words.of("a ".repeat(99)))).isBetween(1.0, 3.0);
  }

  @Test
  void onlyTheFirstWordsCount() {
    NgramModel model = trained(new NgramSettings(3, 1_000_000, 3));

    assertThat(model.scored(Words.of("w1 w2 w3 w4"))).isEqualTo(3);
    assertThat(perplexity(model, Words.of("w1 w2 w3 w4")))
        .isEqualTo(perplexity(model, Words.of("w1 w2 w3 unknown unknown")));
  }

  @Test
  void isReadAsItWasWritten() {
    NgramModel model = trained(new NgramSettings(3, 1_000_000, 100));
    String hash = model.write(folder.resolve("m")).hash();
    NgramModel read = opened(folder.resolve("m"));

    assertThat(read.ngrams()).isEqualTo(model.ngrams());
    assertThat(read.words()).isEqualTo(20_000);
    Words text = new ChainTexts(3, VOCABULARY).next(200);
    assertThat(read.perplexity(text)).isEqualTo(model.perplexity(text));
    assertThat(trained(new NgramSettings(3, 1_000_000, 100)).write(folder.resolve("n")).hash())
        .isEqualTo(hash);
  }

  @Test
  void damagedModelsAreRefused() throws IOException {
    trained(NgramSettings.STANDARD).write(folder.resolve("m"));
    Path file = folder.resolve("m/ngrams-2.bin");
    byte[] whole = Files.readAllBytes(file);

    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 1));
    assertRefused("ngrams-2.bin must have " + whole.length + " bytes");
    Files.write(file, ByteBuffer.wrap(whole.clone()).putLong(Long.MAX_VALUE).array());
    assertRefused("ngrams-2.bin is damaged: its hashes must ascend");
    for (float share : new float[] {Float.NaN, 0, -1, 1.1f}) {
      byte[] damaged = whole.clone();
      Files.write(file, ByteBuffer.wrap(damaged).putFloat(whole.length - 4, share).array());
      assertRefused("ngrams-2.bin is damaged: its probabilities must be above 0 and at most 1");
    }
    Files.write(file, whole);
    Path described = folder.resolve("m/model.json");
    String json = Files.readString(described);
    Files.writeString(described, json.replaceFirst("\"unknown\" : .*", "\"unknown\" : 0,"));
    assertRefused("unknown must be a probability above 0: found 0");
    Files.writeString(described, json.replaceFirst("\"ngrams\" : \\[ \\d+", "\"ngrams\" : [ -1"));
    assertRefused("ngrams must be whole numbers, here up to 1142857: found -1");
    Files.writeString(described, json.replace("\"order\" : 3", "\"order\" : 9"));
    assertRefused("order must be a whole number from 1 to 5: found 9");
  }

  @Test
  void settingsHaveRanges() {
    assertThatThrownBy(() -> new NgramSettings(6, 1000, 1))
        .isInstanceOf(BadInputException.class)
        .hasMessage("order must be a whole number from 1 to 5: found 6");
    assertThatThrownBy(() -> new NgramSettings(1, 999, 1))
        .hasMessage("most-ngrams must be a whole number from 1000 to 67108864: found 999");
    assertThatThrownBy(() -> new NgramSettings(1, 1000, 0))
        .hasMessage("first-words must be a whole number from 1 to 1048576: found 0");
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(() -> opened(folder.resolve("m")))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }

  private static double perplexity(NgramModel model, Words text) {
    return model.perplexity(text).orElseThrow();
  }

  private static NgramModel trained(NgramSettings settings) {
    NgramTrainer trainer = new NgramTrainer(settings);
    ChainTexts texts = new ChainTexts(1, VOCABULARY);
    for (int i = 0; i < 100; i++) {
      trainer.add(texts.next(200));
    }
    return trainer.model();
  }

  private static NgramModel opened(Path directory) {
    return NgramModel.of(ModelDirectory.open(directory, NgramModel.KIND, ModelDirectory.LARGEST));
  }
}
