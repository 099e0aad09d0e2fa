package io.sluice.schema;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
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
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
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
 * <p>Before a schema is changed, keep it as it is, with every type that it is a part of; after the
 * change, add samples under the next version, and never change those that are there:
 *
 * <pre>
 * mvn -pl schemas test -Dtest=WireCompatibilityTest#keep* -Dsluice.keep=TokenBlock
 * mvn -pl schemas test -Dtest=WireCompatibilityTest#writes* -Dsluice.samples=v5
 * </pre>
 */
final class WireCompatibilityTest {
  private static final Path WIRE = Path.of("src/test/resources/wire");
  private static final Path EARLIER = Path.of("src/main/resources/io/sluice/schema/earlier");
  private static final Path SCHEMAS = Path.of("src/main/avro");
  private static final Path PYTHON = Path.of("../trainer-bridge/python/src/sluice/wire/schemas");
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  @Test
  @EnabledIfSystemProperty(named = "sluice.keep", matches = "\\w+(,\\w+)*")
  void keepsTheCurrentSchemas() throws IOException {
    Files.createDirectories(EARLIER);
    for (String type : System.getProperty("sluice.keep").split(",", -1)) {
      Path kept = EARLIER.resolve(type + "-" + (EarlierSchemas.of(type).size() + 1) + ".avsc");
      Files.writeString(kept, SchemaNormalization.toParsingForm(current().get(type)) + "\n");
      assertThat(kept).isNotEmptyFile();
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.samples", matches = "v\\d+")
  void writesTheSamplesThatAreNotCommitted() throws IOException {
    Path version = Files.createDirectories(WIRE.resolve(System.getProperty("sluice.samples")));
    Set<ByteBuffer> committed = new HashSet<>();
    for (Path file : committed().toList()) {
      committed.add(ByteBuffer.wrap(Files.readAllBytes(file)));
    }
    for (Map.Entry<String, SpecificRecordBase> sample : WireSamples.all().entrySet()) {
      byte[] bytes = WireCodec.encode(sample.getValue());
      if (committed.add(ByteBuffer.wrap(bytes))) {
        Files.write(version.resolve(sample.getKey() + ".bin"), bytes);
        String json = JSON.writeValueAsString(json(sample.getValue()));
        Files.writeString(version.resolve(sample.getKey() + ".json"), json + "\n");
      }
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.samples", matches = "v\\d+")
  void writesTheCopiesOfThePythonPackage() throws IOException {
    try (Stream<Path> copies = Files.list(PYTHON)) {
      for (Path copy : copies.filter(Files::isRegularFile).toList()) {
        String name = copy.getFileName().toString();
        Files.copy(SCHEMAS.resolve(name), copy, StandardCopyOption.REPLACE_EXISTING);
        String type = name.replace(".avsc", "");
        for (int i = 1; i <= EarlierSchemas.of(type).size(); i++) {
          Path earlier = Path.of("earlier", type + "-" + i + ".avsc");
          Files.copy(
              EARLIER.resolveSibling(earlier),
              PYTHON.resolve(earlier),
              StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    assertThat(PYTHON.resolve("RunSpec.avsc"))
        .hasSameTextualContentAs(SCHEMAS.resolve("RunSpec.avsc"));
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
  void everySchemaThatIsReadHasCommittedBytes() throws IOException {
    assertThat(committed().map(WireCompatibilityTest::fingerprint))
        .as("a schema has changed: add its samples under the next version")
        .containsAll(readable());
  }

  @Test
  void everySchemaThatWasWrittenIsRead() throws IOException {
    assertThat(committed().filter(file -> !readable().contains(fingerprint(file))))
        .as("a schema has changed, and the one before it is not among %s", EARLIER)
        .isEmpty();
  }

  @Test
  void everyKeptSchemaIsOneThatItsTypeIsReadFrom() throws IOException {
    try (Stream<Path> kept = Files.list(EARLIER)) {
      for (Path file : kept.toList()) {
        String text = Files.readString(file).strip();
        Schema schema = new Schema.Parser().parse(text);
        assertThat(file.getFileName().toString()).matches(schema.getName() + "-\\d+\\.avsc");
        assertThat(SchemaNormalization.toParsingForm(schema)).isEqualTo(text);
        assertThat(EarlierSchemas.of(schema.getName())).contains(schema);
      }
    }
  }

  @Test
  void theVersionsOfATypeDiffer() {
    assertThat(
            types().flatMap(type -> WireCodec.schemas(type).stream()).map(Schema::getName).toList())
        .hasSameSizeAs(readable());
  }

  /** Schemas of today, by the type's name. */
  private static Map<String, Schema> current() {
    return WireSamples.all().values().stream()
        .map(SpecificRecordBase::getSchema)
        .distinct()
        .collect(toMap(Schema::getName, each -> each));
  }

  private static Stream<? extends Class<? extends SpecificRecordBase>> types() {
    return WireSamples.all().values().stream().map(SpecificRecordBase::getClass).distinct();
  }

  /** Fingerprints of the schemas that records are read from. */
  private static Set<Long> readable() {
    return types()
        .flatMap(type -> WireCodec.schemas(type).stream())
        .map(SchemaNormalization::parsingFingerprint64)
        .collect(toSet());
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
