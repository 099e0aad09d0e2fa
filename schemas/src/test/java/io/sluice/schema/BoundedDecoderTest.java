package io.sluice.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BoundedDecoderTest {
  /** Something that is read. */
  private interface Reading {
    Object of(BoundedDecoder decoder) throws IOException;
  }

  /** Something that is written. */
  private interface Writing {
    void to(BinaryEncoder encoder) throws IOException;
  }

  private static byte[] written(Writing writing) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    writing.to(encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static BoundedDecoder of(byte... bytes) {
    return new BoundedDecoder(bytes, 0, bytes.length);
  }

  private static BoundedDecoder ofHex(String hex) {
    return of(HexFormat.of().parseHex(hex));
  }

  private static void assertRefused(String hex, Reading reading, String message) {
    assertThatThrownBy(() -> reading.of(ofHex(hex)))
        .isInstanceOf(IOException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, -1, 63, 64, -64, -65, 1L << 31, -(1L << 31), Long.MAX_VALUE, Long.MIN_VALUE})
  void readsNumbersAsAvroWritesThem(long value) throws IOException {
    int narrow = (int) value;
    BoundedDecoder decoder =
        of(
            written(
                out -> {
                  out.writeLong(value);
                  out.writeInt(narrow);
                  out.writeDouble(Double.longBitsToDouble(value));
                  out.writeFloat(Float.intBitsToFloat(narrow));
                  out.writeBoolean(value > 0);
                }));
    assertThat(decoder.readLong()).isEqualTo(value);
    assertThat(decoder.readInt()).isEqualTo(narrow);
    assertThat(Double.doubleToRawLongBits(decoder.readDouble())).isEqualTo(value);
    assertThat(Float.floatToRawIntBits(decoder.readFloat())).isEqualTo(narrow);
    assertThat(decoder.readBoolean()).isEqualTo(value > 0);
    decoder.requireEnd();
  }

  @Test
  void readsARangeOfBytesOnly() throws IOException {
    byte[] bytes = {9, 4, 'a', 'b', 'c'};
    BoundedDecoder decoder = new BoundedDecoder(bytes, 1, 3);
    assertThat(decoder.readString()).isEqualTo("ab");
    decoder.requireEnd();
    assertThatThrownBy(decoder::readBoolean)
        .hasMessage("boolean of 1 bytes, 0 are left (at byte 3 of 3)");
  }

  @Test
  void readsAndSkipsTextsAndBytes() throws IOException {
    byte[] bytes =
        written(
            out -> {
              out.writeString("µ😀");
              out.writeBytes(new byte[] {1, 2, 3});
              out.writeFixed(new byte[] {4, 5});
            });
    BoundedDecoder reading = of(bytes);
    assertThat(reading.readString(null).toString()).isEqualTo("µ😀");
    assertThat(reading.readBytes(null)).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    byte[] fixed = new byte[3];
    reading.readFixed(fixed, 1, 2);
    assertThat(fixed).containsExactly(0, 4, 5);
    reading.requireEnd();
    BoundedDecoder skipping = of(bytes);
    skipping.skipString();
    skipping.skipBytes();
    skipping.skipFixed(2);
    skipping.requireEnd();
  }

  @Test
  void readsAndSkipsBlocksWithAndWithoutTheirSize() throws IOException {
    // Two items; then, with its size of two bytes, one; then the end.
    BoundedDecoder reading = ofHex("040204" + "01048001" + "00");
    assertThat(reading.readArrayStart()).isEqualTo(2);
    assertThat(List.of(reading.readInt(), reading.readInt())).containsExactly(1, 2);
    assertThat(reading.arrayNext()).isEqualTo(1);
    assertThat(reading.readInt()).isEqualTo(64);
    assertThat(reading.mapNext()).isZero();
    reading.requireEnd();
    BoundedDecoder skipping = ofHex("01048001" + "040204" + "00");
    assertThat(skipping.skipMap()).isEqualTo(2);
    assertThat(skipping.remaining()).isEqualTo(3);
  }

  @Test
  void refusesNumbersThatDoNotFit() {
    assertRefused(
        "ffffffff10",
        BoundedDecoder::readInt,
        "a variable-length int is longer than 32 bits (at byte 5 of 5)");
    assertRefused(
        "ffffffffff01",
        BoundedDecoder::readInt,
        "a variable-length int is longer than 32 bits (at byte 5 of 6)");
    assertRefused(
        "ffffffffffffffffff02",
        BoundedDecoder::readLong,
        "a variable-length long is longer than 64 bits (at byte 10 of 10)");
    assertRefused("ffff", BoundedDecoder::readLong, "long of 1 bytes, 0 are left (at byte 2 of 2)");
    assertRefused(
        "02", BoundedDecoder::readBoolean, "a boolean must be 0 or 1: 2 (at byte 1 of 1)");
    assertRefused(
        "01", BoundedDecoder::readIndex, "union branch must be at least 0: -1 (at byte 1 of 1)");
    assertRefused(
        "03", BoundedDecoder::readEnum, "enum symbol must be at least 0: -2 (at byte 1 of 1)");
  }

  @Test
  void refusesLengthsBeyondWhatRemains() {
    String huge = "feffffff0f00";
    assertRefused(
        huge,
        BoundedDecoder::readString,
        "string of 2147483647 bytes, 1 are left (at byte 5 of 6)");
    assertRefused(
        huge,
        decoder -> decoder.readBytes(null),
        "bytes of 2147483647 bytes, 1 are left (at byte 5 of 6)");
    assertRefused(
        "0361", BoundedDecoder::readString, "string of -2 bytes, 1 are left (at byte 1 of 2)");
    assertRefused(
        "0000",
        decoder -> {
          decoder.skipFixed(3);
          return decoder;
        },
        "fixed of 3 bytes, 2 are left (at byte 0 of 2)");
  }

  @Test
  void refusesCountsBeyondWhatRemains() {
    assertRefused(
        "feffffff0f00",
        BoundedDecoder::readArrayStart,
        "array block of 2147483647 items in 1 bytes (at byte 5 of 6)");
    assertRefused(
        "05020000",
        BoundedDecoder::readMapStart,
        "map block of 3 items in 1 bytes (at byte 2 of 4)");
    assertRefused(
        "01080000",
        BoundedDecoder::arrayNext,
        "array block of 4 bytes, 2 are left (at byte 2 of 4)");
    assertRefused(
        "ffffffffffffffffff010000",
        BoundedDecoder::readArrayStart,
        "array block of -9223372036854775808 items in 0 bytes (at byte 11 of 12)");
    assertRefused(
        "0600", BoundedDecoder::skipArray, "array block of 3 items in 1 bytes (at byte 1 of 2)");
    assertRefused(
        "0106", BoundedDecoder::skipMap, "map block of 3 bytes, 0 are left (at byte 2 of 2)");
  }

  @Test
  void refusesWhatFollowsTheRecord() {
    assertThatThrownBy(() -> ofHex("0000").requireEnd())
        .isInstanceOf(IOException.class)
        .hasMessage("2 bytes follow the record (at byte 0 of 2)");
  }

  @Test
  void neverPromisesMoreThanIsThere() {
    List<Reading> readings =
        List.of(
            BoundedDecoder::readArrayStart,
            BoundedDecoder::arrayNext,
            BoundedDecoder::skipArray,
            BoundedDecoder::readMapStart,
            BoundedDecoder::skipMap,
            decoder -> decoder.readString().getBytes(StandardCharsets.ISO_8859_1).length,
            decoder -> decoder.readBytes(null).capacity());
    Random random = new Random(7);
    int accepted = 0;
    for (int round = 0; round < 100_000; round++) {
      byte[] bytes = new byte[1 + random.nextInt(24)];
      random.nextBytes(bytes);
      BoundedDecoder decoder = of(bytes);
      try {
        Object promised = readings.get(random.nextInt(readings.size())).of(decoder);
        assertThat(((Number) promised).longValue()).isBetween(0L, (long) bytes.length);
        assertThat(decoder.remaining()).isBetween(0, bytes.length);
        accepted++;
      } catch (IOException e) {
        assertThat(e).hasMessageMatching(".* \\(at byte \\d+ of " + bytes.length + "\\)");
      }
    }
    assertThat(accepted).isGreaterThan(1_000);
  }
}
