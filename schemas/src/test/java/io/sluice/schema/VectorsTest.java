package io.sluice.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The vectors that every client language checks itself against. */
final class VectorsTest {
  private static JsonNode vectors(String name) throws IOException {
    return new ObjectMapper()
        .readTree(Path.of("src/test/resources/vectors/" + name + ".json").toFile());
  }

  @Test
  void streamHeaders() throws IOException {
    JsonNode vectors = vectors("stream-header");
    assertThat(vectors).isNotEmpty();
    for (JsonNode vector : vectors) {
      StreamHeader header =
          new StreamHeader(
              vector.get("timeline").intValue(),
              vector.get("batch").longValue(),
              vector.get("firstIndex").longValue(),
              vector.get("batchSize").intValue(),
              vector.get("index").longValue(),
              vector.get("weightsVersion").intValue(),
              vector.get("ordinal").longValue(),
              unsigned(vector.get("chain")));
      byte[] bytes = HexFormat.of().parseHex(vector.get("bytes").textValue());
      assertThat(header.encode()).isEqualTo(bytes);
      assertThat(StreamHeader.decode(bytes)).isEqualTo(header);
    }
  }

  @Test
  void streamHeadersOfAnotherLengthOrVersionAreRefused() {
    assertThatThrownBy(() -> StreamHeader.decode(new byte[0]))
        .isInstanceOf(WireFormatException.class)
        .hasMessage("stream header must be 53 bytes of version 1: found 0 bytes");
    assertThatThrownBy(() -> StreamHeader.decode(new byte[] {2, 0}))
        .isInstanceOf(WireFormatException.class)
        .hasMessage("stream header must be 53 bytes of version 1: found 2 bytes of version 2");
  }

  @Test
  void chainHashes() throws IOException {
    JsonNode vectors = vectors("chain-hash");
    long fingerprint = unsigned(vectors.get("fingerprint"));
    vectors
        .get("domains")
        .properties()
        .forEach(
            domain ->
                assertThat(ChainHash.domain(fingerprint, domain.getKey()))
                    .as(domain.getKey())
                    .isEqualTo(unsigned(domain.getValue())));
    for (JsonNode start : vectors.get("starts")) {
      assertThat(
              ChainHash.start(start.get("planVersion").intValue(), start.get("runId").textValue()))
          .as(start.toString())
          .isEqualTo(unsigned(start.get("chain")));
    }
    long chain = ChainHash.START;
    for (JsonNode step : vectors.get("steps")) {
      chain =
          ChainHash.next(
              chain,
              step.get("index").longValue(),
              ChainHash.domain(fingerprint, step.get("domain").textValue()),
              step.get("lane").intValue(),
              step.get("ordinal").longValue());
      assertThat(chain).as(step.toString()).isEqualTo(unsigned(step.get("chain")));
    }
    assertThat(chain).isNotEqualTo(ChainHash.START);
  }

  private static long unsigned(JsonNode hex) {
    return Long.parseUnsignedLong(hex.textValue(), 16);
  }
}
