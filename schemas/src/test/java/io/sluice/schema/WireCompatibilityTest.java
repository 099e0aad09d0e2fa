package io.sluice.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.io.JsonEncoder;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes that were once written must be read for ever. Each {@code wire/v<n>/<sample>.bin} was
 * written by {@link WireSamples}, and says in the {@code .json} beside it what it holds.
 *
 * <p>After a schema has changed, add its samples under the next version; never change those of a
 * released one:
 *
 * <pre>mvn -pl schemas test -Dtest=WireCompatibilityTest -Dsluice.samples=v2</pre>
 */
final class WireCompatibilityTest {
  private static final Path WIRE = Path.of("src/test/resources/wire");
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  @Test
  @EnabledIfSystemProperty(named = "sluice.samples", matches = "v\\d+")
  void writesTheSamplesOfTheCurrentSchemas() throws IOException {
    Path version = Files.createDirectories(WIRE.resolve(System.getProperty("sluice.samples")));
    for (Map.Entry<String, SpecificRecordBase> sample : WireSamples.all().entrySet()) {
      Path bytes = version.resolve(sample.getKey() + ".bin");
      Files.write(bytes, WireCodec.encode(sample.getValue()));
      String json = JSON.writeValueAsString(json(sample.getValue()));
      Files.writeString(version.resolve(sample.getKey() + ".json"), json + "\n");
      assertThat(bytes).isNotEmptyFile();
    }
  }

  static Stream<Path> committed() throws IOException {
    try (Stream<Path> files = Files.walk(WIRE)) {
      return files.filter(file -> file.toString().endsWith(".bin")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("committed")
  void readsTheBytesOfEveryVersion(Path file) throws IOException {
    SpecificRecordBase read = WireCodec.decode(Files.readAllBytes(file));
    Path description = Path.of(file.toString().replaceFirst("\\.bin$", ".json"));
    assertContains(json(read), JSON.readTree(description.toFile()), file.toString());
  }

  /** Everything described is there; fields that were added later may have their defaults. */
  private static void assertContains(JsonNode found, JsonNode described, String path) {
    if (described.isObject()) {
      described
          .properties()
          .forEach(
              e -> assertContains(found.path(e.getKey()), e.getValue(), path + "/" + e.getKey()));
    } else if (described.isArray()) {
      assertThat(found).as(path).hasSameSizeAs(described);
      for (int i = 0; i < described.size(); i++) {
        assertContains(found.path(i), described.get(i), path + "/" + i);
      }
    } else {
      assertThat(found).as(path).isEqualTo(described);
    }
  }

  @Test
  void everyCurrentSchemaHasCommittedBytes() throws IOException {
    Stream<Long> committed = committed().map(WireCompatibilityTest::fingerprint);
    assertThat(committed)
        .as("a schema has changed: add its samples under the next version")
        .containsAll(
            WireSamples.all().values().stream()
                .map(r -> SchemaNormalization.parsingFingerprint64(r.getSchema()))
                .toList());
  }

  private static long fingerprint(Path file) {
    try {
      return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode json(SpecificRecordBase message) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JsonEncoder encoder = EncoderFactory.get().jsonEncoder(message.getSchema(), out);
    new SpecificDatumWriter<SpecificRecordBase>(message.getSchema()).write(message, encoder);
    encoder.flush();
    return JSON.readTree(out.toString(StandardCharsets.UTF_8));
  }
}
