package io.sluice.refine.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TwinsTest {
  private static final SignatureScheme SCHEME = SignatureScheme.DEFAULT;
  private static final int PAIRS = Boolean.getBoolean("sluice.full") ? 20_000 : 400;
  private static final String TEXT = "The quick brown fox jumps over the lazy dog near the river.";

  private final MemoryTwinTable table = new MemoryTwinTable();
  private final Twins twins = twins(1_000);
  private long offset;

  @Test
  void theFirstStays() {
    assertThat(add(twins, TEXT)).isEmpty();
    assertThat(add(twins, TEXT))
        .contains(new Twin(new DocumentPlace(3, 0), SCHEME.sign(TEXT).text(), 1, true));
    assertThat(add(twins, TEXT.toUpperCase(Locale.ROOT)))
        .hasValueSatisfying(
            twin -> {
              assertThat(twin.exact()).isFalse();
              assertThat(twin.similarity()).isEqualTo(1);
              assertThat(twin.place().offset()).isZero();
            });
    assertThat(add(twins, "something else that has other words than it")).isEmpty();
    assertThat(table.documents()).isEqualTo(2);
  }

  @Test
  void textsWithoutWordsAreTwinsOnlyOfThemselves() {
    assertThat(add(twins, "...")).isEmpty();
    assertThat(add(twins, "!!!")).isEmpty();
    assertThat(add(twins, "")).isEmpty();
    assertThat(add(twins, "...")).hasValueSatisfying(twin -> assertThat(twin.exact()).isTrue());
    assertThat(table.documents()).isEqualTo(3);
  }

  @Test
  void findsPlantedPairs() {
    TestingTexts texts = new TestingTexts(2);
    int pairs = 0;
    int found = 0;
    while (pairs < PAIRS) {
      String[] words = texts.words(200 + texts.below(200));
      String[] changed = texts.changed(words, 1 + texts.below(4), 1 + texts.below(8));
      if (TestingTexts.similarity(words, changed) < 0.8) {
        continue;
      }
      Twins fresh = new Twins(SCHEME, new MemoryTwinTable(), Twins.DEFAULT_LEAST, 10);
      assertThat(add(fresh, TestingTexts.text(words))).isEmpty();
      found += add(fresh, TestingTexts.text(changed)).isPresent() ? 1 : 0;
      pairs++;
    }
    assertThat(found).isGreaterThanOrEqualTo(PAIRS * 99 / 100);
  }

  @Test
  void dropsNoTextsThatAreNotAlike() {
    TestingTexts texts = new TestingTexts(3);
    Twins all = twins(100_000);
    int dropped = 0;
    for (int i = 0; i < 5_000; i++) {
      dropped +=
          add(all, TestingTexts.text(texts.words(20 + texts.below(100)))).isPresent() ? 1 : 0;
    }
    assertThat(dropped).isLessThanOrEqualTo(5);
  }

  @Test
  void candidatesThatAreNotAlikeEnoughAreNone() {
    TestingTexts texts = new TestingTexts(4);
    int dropped = 0;
    for (int i = 0; i < 300; i++) {
      String[] words = texts.words(300);
      String[] changed = texts.changed(words, 9, 10);
      if (TestingTexts.similarity(words, changed) < 0.6) {
        add(twins, TestingTexts.text(words));
        dropped += add(twins, TestingTexts.text(changed)).isPresent() ? 1 : 0;
      }
    }
    assertThat(dropped).isLessThanOrEqualTo(3);
  }

  @Test
  void whoGoesOnWithTheTableDecidesAlike() {
    List<String> documents = new ArrayList<>();
    TestingTexts texts = new TestingTexts(5);
    String[] words = texts.words(60);
    for (int i = 0; i < 400; i++) {
      words = texts.below(3) == 0 ? texts.words(60) : texts.changed(words, 1, 4);
      documents.add(TestingTexts.text(words));
    }
    List<Optional<Twin>> whole = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      whole.add(twins.add(new DocumentPlace(0, i), SCHEME.sign(documents.get(i))));
    }
    MemoryTwinTable restored = new MemoryTwinTable();
    List<Optional<Twin>> parts = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      parts.add(
          new Twins(SCHEME, restored, Twins.DEFAULT_LEAST, 1_000)
              .add(new DocumentPlace(0, i), SCHEME.sign(documents.get(i))));
    }

    assertThat(parts).isEqualTo(whole);
    assertThat(whole).anyMatch(Optional::isPresent).anyMatch(Optional::isEmpty);
  }

  @Test
  void oldDocumentsAreForgotten() {
    Twins few = twins(3);
    for (String text : List.of("one a", "two b", "three c", "one a")) {
      add(few, text);
    }
    assertThat(table.documents()).isEqualTo(3);
    add(few, "four d");
    assertThat(add(few, "two b")).isPresent();
    assertThat(add(few, "one a")).isEmpty();
    assertThat(table.documents()).isEqualTo(3);
    assertThat(table.hashes()).isEqualTo(3 * 21);
    assertThat(table.span()).isEqualTo(new TwinTable.Span(2, 5));
  }

  @Test
  void aTableThatWasKeptForLongerShrinks() {
    for (int i = 0; i < 100; i++) {
      add(twins, "text " + i);
    }
    Twins fewer = twins(10);

    assertThat(add(fewer, "text 89")).isEmpty();
    assertThat(add(fewer, "text 92")).isPresent();
    for (int i = 100; i < 200; i++) {
      add(fewer, "text " + i);
    }
    assertThat(table.documents()).isEqualTo(10);
    assertThat(table.hashes()).isEqualTo(10 * 21);
  }

  @Test
  void fewDocumentsShareAHash() {
    SignatureScheme wide = new SignatureScheme(1, 20, 1);
    Twins all = new Twins(wide, table, 0.99, 1_000);
    String common = TestingTexts.text(new TestingTexts(6).words(300));
    for (int i = 0; i < 200; i++) {
      all.add(
          new DocumentPlace(0, i),
          wide.sign(common + TestingTexts.text(new TestingTexts(i).words(20))));
    }
    Signature last = wide.sign(common);

    assertThat(table.documents()).isGreaterThan(2 * Twins.MOST_NUMBERS);
    assertThat(table.numbers(0, last.band(0))).hasSizeLessThanOrEqualTo(Twins.MOST_NUMBERS);
  }

  @Test
  void finerBandsFindMoreOfTheSameComponents() {
    SignatureScheme finer = SCHEME.finer();
    assertThat(finer).isEqualTo(new SignatureScheme(5, 28, 5));
    assertThat(finer.candidates(0.8)).isGreaterThan(0.99998);
    assertThat(finer.finer()).isEqualTo(finer);
    SignatureScheme many = new SignatureScheme(5, 100, 10);
    assertThat(many.finer()).as("bands are bounded").isEqualTo(many);
    Signature signature = SCHEME.sign(TEXT);
    assertThat(signature.in(finer).similarity(finer.sign(TEXT))).isEqualTo(1);
    assertThatThrownBy(() -> signature.in(many)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void oldDocumentsOfTheTableAreRead() {
    SignatureScheme small = new SignatureScheme(2, 1, 1);
    String written =
        "01" + "00000003" + "0000000000000007" + "0102010170a48cc5ea382e9b5ffcc178db8239c9023c";
    Remembered document = new Remembered(new DocumentPlace(3, 7), small.sign("the cat"));

    assertThat(HexFormat.of().formatHex(document.bytes())).isEqualTo(written);
    assertThat(Remembered.read(small, HexFormat.of().parseHex(written)).place())
        .isEqualTo(document.place());
    assertThatThrownBy(() -> Remembered.read(small, new byte[] {2, 0}))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "a document in the table of twins must be of version 1 and have 13 bytes or more:"
                + " found 2, 2");
  }

  @Test
  void refusesOtherSchemes() {
    add(twins, TEXT);
    SignatureScheme other = new SignatureScheme(4, 20, 7);

    assertThatThrownBy(() -> twins.find(other.sign(TEXT)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("signatures must be of SignatureScheme[words=5");
    assertThatThrownBy(
            () -> new Twins(other, table, 0.7, 9).add(new DocumentPlace(0, 1), other.sign(TEXT)))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("found version 1, 5 words, 20 bands, 7 rows");
    assertThatThrownBy(() -> new Twins(SCHEME, table, 0, 9))
        .hasMessage("the least similarity of twins must be more than 0 and at most 1: found 0.0");
    assertThatThrownBy(() -> new Twins(SCHEME, table, 1, 0))
        .hasMessage("twins must be kept of 1 document or more: found 0");
    assertThatThrownBy(() -> new DocumentPlace(-1, 0))
        .hasMessage("a document's domain and offset must not be negative: found -1, 0");
  }

  private Twins twins(long keep) {
    return new Twins(SCHEME, table, Twins.DEFAULT_LEAST, keep);
  }

  private Optional<Twin> add(Twins to, String text) {
    return to.add(new DocumentPlace(3, offset++), SCHEME.sign(text));
  }
}
