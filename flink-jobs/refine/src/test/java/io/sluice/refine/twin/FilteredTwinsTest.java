package io.sluice.refine.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.error.BadInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FilteredTwinsTest {
  private static final SignatureScheme SCHEME = SignatureScheme.DEFAULT;
  private static final int DOCUMENTS = Boolean.getBoolean("sluice.full") ? 10_000_000 : 200_000;

  @Test
  void dropsWhatMayHaveATwin() {
    FilteredTwins twins = FilteredTwins.of(SCHEME, 1_000, 0.001);

    assertThat(twins.add(SCHEME.sign("a b c d e f g h"))).isFalse();
    assertThat(twins.add(SCHEME.sign("A b c d e f g h."))).isTrue();
    assertThat(twins.add(SCHEME.sign("..."))).isFalse();
    assertThat(twins.add(SCHEME.sign("!"))).isFalse();
    assertThat(twins.add(SCHEME.sign("..."))).isTrue();
    assertThat(twins.added()).isEqualTo(3);
  }

  @Test
  void findsPlantedPairs() {
    TestingTexts texts = new TestingTexts(7);
    FilteredTwins twins = FilteredTwins.of(SCHEME, 10_000, 0.001);
    int pairs = 0;
    int found = 0;
    while (pairs < 300) {
      String[] words = texts.words(300);
      String[] changed = texts.changed(words, 1 + texts.below(4), 1 + texts.below(8));
      if (TestingTexts.similarity(words, changed) >= 0.8
          && !twins.add(SCHEME.sign(TestingTexts.text(words)))) {
        pairs++;
        found += twins.add(SCHEME.sign(TestingTexts.text(changed))) ? 1 : 0;
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(297);
  }

  @Test
  void manyDocumentsInFixedMemory() {
    FilteredTwins twins = FilteredTwins.of(SCHEME, DOCUMENTS, 0.001);
    SplittableRandom random = new SplittableRandom(8);
    int dropped = 0;
    for (int i = 0; i < DOCUMENTS; i++) {
      dropped += twins.add(drawn(random)) ? 1 : 0;
    }
    int late = 0;
    for (int i = 0; i < DOCUMENTS / 10; i++) {
      late += twins.add(drawn(random)) ? 1 : 0;
    }

    assertThat(twins.bytes()).isLessThan(56L * DOCUMENTS);
    assertThat(twins.fill()).isCloseTo(0.5, within(0.05));
    assertThat(dropped).isLessThan(DOCUMENTS / 1_000);
    assertThat(twins.falseDrops()).isGreaterThan(0.001).isLessThan(0.004);
    assertThat(late / (DOCUMENTS / 10.0)).isLessThan(0.004);
    random = new SplittableRandom(8);
    for (int i = 0; i < 1_000; i++) {
      assertThat(twins.add(drawn(random))).isTrue();
    }
  }

  @Test
  void goesOnFromItsChunks() {
    FilteredTwins whole = FilteredTwins.of(SCHEME, 500_000, 0.001);
    FilteredTwins restored = whole;
    SplittableRandom random = new SplittableRandom(9);
    List<Signature> added = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      if (i == 2_000) {
        assertThat(whole.chunks()).isEqualTo(1 + 21 * 2);
        List<byte[]> chunks = chunks(whole);
        assertThat(chunks).allMatch(chunk -> chunk.length <= 1 + (1 << 20));
        restored = FilteredTwins.restored(chunks::get);
        assertThat(restored.fill()).isEqualTo(whole.fill());
      }
      Signature next = i % 5 == 4 ? added.get(random.nextInt(added.size())) : drawn(random);
      added.add(next);
      boolean dropped = whole.add(next);
      if (i >= 2_000) {
        assertThat(restored.add(next)).isEqualTo(dropped);
      }
    }
    assertThat(restored.added()).isEqualTo(whole.added());
    for (int chunk = 0; chunk < whole.chunks(); chunk++) {
      assertThat(Arrays.equals(restored.chunk(chunk), whole.chunk(chunk))).isTrue();
    }
  }

  @Test
  void oldChunksAreRead() {
    SignatureScheme small = new SignatureScheme(2, 1, 1);
    List<String> written =
        List.of(
            "0102010100000000000000020000000000000001000000000000004000000008",
            "011001401600400400",
            "018881800082000080");
    FilteredTwins twins = FilteredTwins.of(small, 2, 0.01);
    twins.add(small.sign("the cat"));

    assertThat(chunks(twins).stream().map(HexFormat.of()::formatHex)).isEqualTo(written);
    FilteredTwins read =
        FilteredTwins.restored(chunk -> HexFormat.of().parseHex(written.get(chunk)));
    assertThat(read.add(small.sign("the cat"))).isTrue();
    assertThat(read.expected()).isEqualTo(2);
    assertThat(read.scheme()).isEqualTo(small);
  }

  @Test
  void refusesOtherChunks() {
    List<byte[]> chunks = chunks(FilteredTwins.of(new SignatureScheme(2, 1, 1), 2, 0.01));

    chunks.set(2, new byte[5]);
    assertRefused(chunks, "chunk 2 of the filters of twins must be of version 1 and have 9 bytes");
    chunks.get(0)[20] = 1;
    assertRefused(chunks, "must have up to 68719476736 bits, in words of 64: found");
    chunks.get(0)[0] = 2;
    assertRefused(chunks, "chunk 0 of the filters of twins must be of version 1");
    assertThatThrownBy(() -> FilteredTwins.of(SCHEME, 0, 0.1))
        .hasMessage("filters must expect 1 document or more: found 0");
    assertThatThrownBy(() -> FilteredTwins.of(SCHEME, 1, 0))
        .hasMessage("the rate of false drops must be 0.000001 to 0.5: found 0.0");
    assertThatThrownBy(() -> FilteredTwins.of(SCHEME, 1L << 60, 0.1))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("must have at most 68719476736 bits");
    assertThatThrownBy(
            () -> FilteredTwins.of(SCHEME, 1, 0.1).add(new SignatureScheme(2, 1, 1).sign("")))
        .hasMessageContaining("signatures must be of");
  }

  private static void assertRefused(List<byte[]> chunks, String reason) {
    assertThatThrownBy(() -> FilteredTwins.restored(chunks::get))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }

  private static List<byte[]> chunks(FilteredTwins twins) {
    List<byte[]> chunks = new ArrayList<>();
    for (int chunk = 0; chunk < twins.chunks(); chunk++) {
      chunks.add(twins.chunk(chunk));
    }
    return chunks;
  }

  /** A signature as of a text that has nothing in common with others. */
  private static Signature drawn(SplittableRandom random) {
    byte[] components = new byte[2 * SCHEME.components()];
    random.nextBytes(components);
    return new Signature(SCHEME, random.nextLong(), random.nextLong(), components);
  }
}
