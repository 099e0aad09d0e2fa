package io.sluice.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class WireCodecTest {
  static Stream<Map.Entry<String, SpecificRecordBase>> samples() {
    return WireSamples.all().entrySet().stream();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void decodesWhatItEncoded(Map.Entry<String, SpecificRecordBase> sample) {
    byte[] bytes = WireCodec.encode(sample.getValue());
    assertThat(bytes).startsWith(0xC3, 0x01);
    assertThat(WireCodec.decode(bytes)).isEqualTo(sample.getValue());
    assertThat(WireCodec.decode(sample.getValue().getClass(), bytes)).isEqualTo(sample.getValue());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void saysThatATruncatedRecordIsTruncated(Map.Entry<String, SpecificRecordBase> sample) {
    byte[] bytes = WireCodec.encode(sample.getValue());
    for (int length = 10; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> WireCodec.decode(cut))
          .isInstanceOf(WireFormatException.class)
          .hasMessageStartingWith("truncated or corrupt record: ");
    }
  }

  @Test
  void encodesAControlRecordForReadersThatKnowAnEarlierSchemaAlone() {
    SpecificRecordBase grant = WireSamples.all().get("ControlRecord.MixtureGrant");
    Schema earlier = WireCodec.schemas(ControlRecord.class).get(2);
    byte[] bytes = WireCodec.encodeAs(earlier, grant);
    assertThat(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(2))
        .isEqualTo(SchemaNormalization.parsingFingerprint64(earlier))
        .isNotEqualTo(SchemaNormalization.parsingFingerprint64(grant.getSchema()));
    assertThat(WireCodec.decode(bytes)).isEqualTo(grant);
    assertThatThrownBy(() -> WireCodec.encodeAs(Schema.create(Schema.Type.LONG), grant))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void saysThatThereAreNoBytes() {
    assertThatThrownBy(() -> WireCodec.decode(null))
        .isInstanceOf(WireFormatException.class)
        .hasMessage("a record without a value");
  }

  @Test
  void saysThatBytesAreNotARecordAtAll() {
    assertThatThrownBy(() -> WireCodec.decode(new byte[] {'{', '}'}))
        .isInstanceOf(WireFormatException.class)
        .hasMessage(
            "not Avro single-object encoding: 2 bytes that do not start with C3 01 and a schema"
                + " fingerprint");
    Random random = new Random(1);
    for (int round = 0; round < 1_000; round++) {
      byte[] garbage = new byte[random.nextInt(64)];
      random.nextBytes(garbage);
      assertThatThrownBy(() -> WireCodec.decode(garbage)).isInstanceOf(WireFormatException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void refusesBytesAfterTheRecord(Map.Entry<String, SpecificRecordBase> sample) {
    byte[] bytes = WireCodec.encode(sample.getValue());
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 2);
    assertThatThrownBy(() -> WireCodec.decode(longer))
        .isInstanceOf(WireFormatException.class)
        .hasMessageStartingWith(
            "truncated or corrupt record: " + sample.getValue().getSchema().getName() + ": ")
        .hasMessageContaining("2 bytes follow the record");
  }

  @Test
  void namesWhatIsWrongWithARecordAndWhere() {
    byte[] bytes = WireCodec.encode(new EndOfDomain("java", 0, 1L));
    bytes[10] = 40;
    assertThatThrownBy(() -> WireCodec.decode(bytes))
        .isInstanceOf(WireFormatException.class)
        .hasMessage(
            "truncated or corrupt record: EndOfDomain: string of 20 bytes, 6 are left"
                + " (at byte 1 of 7)");
  }

  @Test
  void namesAnUnknownFingerprint() {
    byte[] bytes = WireCodec.encode(new EndOfDomain("java", 0, 1L));
    Arrays.fill(bytes, 2, 10, (byte) 0x11);
    assertThatThrownBy(() -> WireCodec.decode(bytes))
        .isInstanceOf(WireFormatException.class)
        .hasMessage("unknown schema fingerprint 1111111111111111: a newer writer?");
  }

  @Test
  void namesTheTypeThatWasExpectedAndTheOneThatCame() {
    byte[] bytes = WireCodec.encode(new EndOfDomain("java", 0, 1L));
    assertThatThrownBy(() -> WireCodec.decode(TokenBlock.class, bytes))
        .isInstanceOf(WireFormatException.class)
        .hasMessage("expected TokenBlock, found EndOfDomain");
  }

  @Test
  void tellsTheTypeFromThePrefixAlone() throws IOException {
    byte[] marker = WireCodec.encode(new EndOfDomain("java", 0, 1L));
    byte[] earlier = Files.readAllBytes(Path.of("src/test/resources/wire/v1/TokenBlock.bin"));
    byte[] now = Files.readAllBytes(Path.of("src/test/resources/wire/v2/TokenBlock.bin"));
    assertThat(WireCodec.isOf(EndOfDomain.class, ByteBuffer.wrap(marker, 0, 10))).isTrue();
    assertThat(WireCodec.isOf(TokenBlock.class, ByteBuffer.wrap(earlier))).isTrue();
    assertThat(WireCodec.isOf(TokenBlock.class, ByteBuffer.wrap(now))).isTrue();
    assertThat(WireCodec.isOf(EndOfDomain.class, ByteBuffer.wrap(now))).isFalse();
    assertThat(WireCodec.isOf(EndOfDomain.class, ByteBuffer.wrap(marker, 0, 9))).isFalse();
    assertThat(WireCodec.isOf(EndOfDomain.class, ByteBuffer.wrap(marker, 1, 12))).isFalse();
    assertThat(WireCodec.isOf(EndOfDomain.class, ByteBuffer.allocate(0))).isFalse();
  }

  @Test
  void refusesToEncodeAPartOfARecord() {
    assertThatThrownBy(() -> WireCodec.encode(new BatchSize(1L, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("io.sluice.schema.BatchSize is not a wire record");
  }

  @Test
  void readsARecordTwiceFromTheSameBytes() {
    TokenBlock block = (TokenBlock) WireSamples.all().get("TokenBlock");
    ByteBuffer tokens = block.getTokens();
    assertThat(WireCodec.encode(block)).isEqualTo(WireCodec.encode(block));
    assertThat(tokens.position()).isZero();
  }

  @Test
  void readsAnEarlierBlockWithTheDefaultsOfWhatCameLater() throws IOException {
    Path earlier = Path.of("src/test/resources/wire/v1/TokenBlock.bin");
    TokenBlock block = WireCodec.decode(TokenBlock.class, Files.readAllBytes(earlier));
    TokenBlock same = (TokenBlock) WireSamples.all().get("TokenBlock");
    assertThat(block).isEqualTo(TokenBlock.newBuilder(same).setProducedAtMillis(0).build());
  }

  @Test
  void readsAnEarlierRunWithoutItsMetrics() throws IOException {
    Path earlier = Path.of("src/test/resources/wire/v1/ControlRecord.RunStarted.bin");
    ControlRecord entry = WireCodec.decode(ControlRecord.class, Files.readAllBytes(earlier));
    RunSpec spec = ((RunStarted) entry.getBody()).getSpec();
    assertThat(spec.getPolicy()).isEqualTo("velocitune");
    assertThat(spec.getMetrics()).isNull();
  }

  @Test
  void everyTypeHasItsOwnFingerprint() {
    assertThat(
            WireSamples.all().values().stream()
                .map(SpecificRecordBase::getSchema)
                .distinct()
                .map(SchemaNormalization::parsingFingerprint64))
        .doesNotHaveDuplicates()
        .hasSize(37);
  }
}
