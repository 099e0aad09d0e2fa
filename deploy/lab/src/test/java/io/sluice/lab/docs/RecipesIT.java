package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both papers' pipelines, as somebody gets them who has the project and nothing else. */
@EnabledIfSystemProperty(named = "sluice.full", matches = "true")
class RecipesIT {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"syne", "dga"})
  void endsWithAnAuditAndAPicture(String name) throws IOException {
    try (Newcomer person = new Newcomer(directory)) {
      for (String folder : new String[] {"docs", "flink-jobs", "trainer-bridge"}) {
        Files.createSymbolicLink(person.file(folder), Newcomer.project(folder).toRealPath());
      }
      String said = person.types("./sluice demo --recipe " + name + " --json report.json");
      assertThat(said).contains("done: trained steps 1 to 60,", "; ended", "weights and losses: ");
    }
    JsonNode report = new ObjectMapper().readTree(directory.resolve("report.json").toFile());
    assertThat(report.get("recipe").textValue()).isEqualTo(name);
    assertThat(report.get("audit").textValue()).startsWith("audit of " + name).contains(" passed");
    assertThat(Path.of(report.get("picture").textValue()))
        .content()
        .contains(name + ": weights", name + ": losses", "<polygon", "<path");
    assertThat(report.get("lines").size()).isGreaterThan(10);
  }
}
