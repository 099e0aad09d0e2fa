package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.Limits;
import io.sluice.schema.TokenizerPart;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenizerPartsTest {
  private static final int PART = TokenizerParts.PART_BYTES;

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, PART - 1, PART, PART + 1, 5 * PART + 7})
  void aFileIsPutTogetherFromItsPartsInAnyOrder(int size) {
    byte[] file = content(size, 1);
    List<TokenizerPart> parts = new ArrayList<>(TokenizerParts.of(file).values());
    parts.addAll(TokenizerParts.of(content(size + 1, 2)).values());
    parts.addAll(TokenizerParts.of(file).values());
    Collections.shuffle(parts, new Random(size));

    assertThat(taken(file, parts).content()).contains(file);
  }

  @Test
  void everyPartFitsARecord() {
    byte[] file = content(2 * PART, 1);
    assertThat(TokenizerParts.of(file))
        .containsOnlyKeys(TokenizerFiles.sha256(file) + "/0", TokenizerFiles.sha256(file) + "/1")
        .allSatisfy(
            (key, part) -> assertThat(WireCodec.encode(part)).hasSizeLessThan(Limits.RECORD_BYTES));
  }

  @Test
  void nothingIsFoundWhereThereIsNothing() {
    assertThat(taken(content(9, 1), List.of()).content()).isEmpty();
  }

  @Test
  void aMissingPartIsNamed() {
    byte[] file = content(3 * PART, 1);
    List<TokenizerPart> parts = new ArrayList<>(TokenizerParts.of(file).values());
    parts.remove(1);

    assertThatThrownBy(() -> taken(file, parts).content())
        .hasMessage(
            "what the topic of tokenizers has of SHA-256 "
                + TokenizerFiles.sha256(file)
                + " is not that file: part 1 of "
                + 3 * PART
                + " bytes is not there");
  }

  @Test
  void forgedContentIsRefusedByItsDigest() {
    byte[] file = content(100, 1);
    byte[] forged = content(100, 2);
    TokenizerPart part = part(file, 100, 0, forged);

    assertThatThrownBy(() -> taken(file, List.of(part)).content())
        .hasMessageContaining("its 100 bytes have the SHA-256 " + TokenizerFiles.sha256(forged));
  }

  @Test
  void partsOfAnotherSizeAreNotTheFile() {
    byte[] file = content(PART + 5, 1);
    List<TokenizerPart> parts = new ArrayList<>(TokenizerParts.of(file).values());
    parts.add(part(file, 2 * PART, 1, content(PART, 3)));

    assertThatThrownBy(() -> taken(file, parts).content())
        .hasMessageContaining("part 1 of " + (PART + 5) + " bytes is not there");
  }

  @Test
  void whatNoWriterMakesIsPassedOver() {
    byte[] file = content(PART + 5, 1);
    List<TokenizerPart> parts = new ArrayList<>(TokenizerParts.of(file).values());
    byte[] some = content(7, 1);
    parts.add(part(file, 0, 0, new byte[0]));
    parts.add(part(file, -1, 0, some));
    parts.add(part(file, Integer.MAX_VALUE, 0, some));
    parts.add(part(file, TokenizerFiles.MOST_BYTES + 1, 0, content(PART, 1)));
    parts.add(part(file, PART + 5, -1, some));
    parts.add(part(file, PART + 5, 2, some));
    parts.add(part(file, PART + 5, 1, some));
    parts.add(part(file, PART + 5, Integer.MAX_VALUE, some));
    TokenizerParts taken = taken(file, parts);
    taken.take(null);
    taken.take(new byte[] {(byte) 0xC3, 1, 2});

    assertThat(taken.content()).contains(file);
  }

  @Test
  void aFileOfMoreThan64MebibytesIsRefused() {
    assertThatCode(() -> TokenizerFiles.requireSize(TokenizerFiles.MOST_BYTES))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> TokenizerFiles.requireSize(TokenizerFiles.MOST_BYTES + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a tokenizer.json must have at most 67108864 bytes: found 67108865");
  }

  private static TokenizerParts taken(byte[] file, List<TokenizerPart> parts) {
    TokenizerParts taken = new TokenizerParts(TokenizerFiles.sha256(file));
    parts.forEach(part -> taken.take(WireCodec.encode(part)));
    return taken;
  }

  private static TokenizerPart part(byte[] file, int size, int part, byte[] content) {
    return new TokenizerPart(TokenizerFiles.sha256(file), size, part, ByteBuffer.wrap(content));
  }

  private static byte[] content(int size, long seed) {
    byte[] content = new byte[size];
    new Random(seed).nextBytes(content);
    return content;
  }
}
