package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of commands that need no broker, on the standard output and nothing else there. */
class JsonReportsTest {
  @TempDir private Path folder;

  private TestingSluice sluice;

  @BeforeEach
  void start() {
    sluice = new TestingSluice(KafkaAccess.local("localhost:1"), folder.resolve("home"));
  }

  @Test
  void tellWhatADatasetResolvesTo() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("dataset.yaml"),
            """
            dataset: small
            tokenizer: bytes
            sequence-length: 256 tokens
            seed: 7
            domains: [wiki, code]
            """);
    JsonNode dataset = sluice.json("dataset", "validate", "-f", file.toString(), "--json", "-");
    assertThat(dataset.path("dataset").asText()).isEqualTo("small");
    assertThat(dataset.path("fingerprint").asText()).matches("[0-9a-f]{16}");
    assertThat(dataset.path("domains")).hasSize(2);
  }

  @Test
  void tellTheRightsOfARole() throws IOException {
    JsonNode report = sluice.json("rights", "observer", "--user", "dashboard", "--json", "-");
    assertThat(report.path("user").asText()).isEqualTo("dashboard");
    JsonNode first = report.path("rights").path(0);
    assertThat(first.path("type").asText()).isEqualTo("TOPIC");
    assertThat(first.path("pattern").asText()).isEqualTo("PREFIXED");
    assertThat(first.path("name").asText()).isEqualTo("sluice.");
    assertThat(first.path("operations")).isNotEmpty();
  }

  @Test
  void tellWhatAnIndexHasOfBenchmarks() throws IOException {
    Path texts = Files.createDirectories(folder.resolve("quiz"));
    Files.writeString(
        texts.resolve("one.txt"), "one two three four five six seven eight nine ten eleven");
    Files.writeString(texts.resolve("two.txt"), "too short");
    Path model = folder.resolve("model");
    JsonNode report =
        sluice.json(
            "benchmark",
            "index",
            "--label",
            "quiz=" + texts,
            "--out",
            model.toString(),
            "--json",
            "-");
    assertThat(report.path("benchmarks").path(0).asText()).isEqualTo("quiz");
    assertThat(report.path("runs").asLong()).isPositive();
    assertThat(report.path("too-short").asLong()).isEqualTo(1);
    assertThat(report.path("directory").asText()).isEqualTo(model.toString());
  }
}
