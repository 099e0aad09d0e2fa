package io.sluice.cli.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class PerplexityCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;
  private String own = "";
  private String other = "";

  private int run(String... arguments) {
    return new CommandLine(new PerplexityCommand())
        .addMixin(CliCommand.GLOBAL, new GlobalOptions(Map.of(), folder))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              err.append(e.getMessage());
              return 2;
            })
        .execute(arguments);
  }

  /** Three hundred sentences of few forms, and others that no model of them has seen. */
  @BeforeEach
  void write() throws IOException {
    StringBuilder sentences = new StringBuilder();
    StringBuilder others = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      String each = "in year %d the ship %d sailed to the harbour of town %d";
      sentences.append(each.formatted(i % 7, i % 11, i)).append('\n');
      others.append("town of %d harbour sailed the loader ship".formatted(i)).append('\n');
    }
    own = Files.writeString(folder.resolve("own.txt"), sentences).toString();
    other = Files.writeString(folder.resolve("other.txt"), others + " ,.\n").toString();
  }

  @Test
  void trainsAModelThatFindsOtherTextsHarder() throws IOException {
    String model = folder.resolve("m").toString();
    assertThat(run("train", own, "--out", model, "--format", "lines", "--held-out", "0.1"))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains("documents: 300\n")
        .containsPattern("vocabulary: [23]\\d\\d words\n")
        .containsPattern("runs of 3 words: \\d")
        .containsPattern("held-out perplexity: \\d+\\.\\d of [1-9]\\d documents\n")
        .containsPattern("model: [0-9a-f]{64}\n");

    JsonNode easy = shown(model, own);
    JsonNode hard = shown(model, other);
    assertThat(easy.path("median").asDouble()).isLessThan(hard.path("median").asDouble() / 2);
    assertThat(hard.path("documents").asInt()).isGreaterThanOrEqualTo(300);
    assertThat(easy.path("without-words").asInt()).isZero();
    JsonNode percentiles = easy.path("percentiles");
    assertThat(percentiles.get(4).path("percent").asInt()).isEqualTo(50);
    assertThat(percentiles.get(4).path("perplexity")).isEqualTo(easy.path("median"));
    assertThat(percentiles.get(8).path("perplexity").asDouble())
        .isGreaterThanOrEqualTo(percentiles.get(0).path("perplexity").asDouble());
    assertThat(out.toString()).contains("median: ").contains("| percent of documents |");
  }

  private JsonNode shown(String model, String texts) throws IOException {
    Path json = folder.resolve("shown.json");
    assertThat(run("show", "--model", model, texts, "--format", "lines", "--json", json + ""))
        .as(err.toString())
        .isZero();
    return new ObjectMapper().readTree(json.toFile());
  }

  @Test
  void sameTextsMakeTheSameModel() throws IOException {
    for (String name : new String[] {"a", "b"}) {
      String json = folder.resolve(name + ".json").toString();
      String model = folder.resolve(name).toString();
      assertThat(run("train", own, other, "--out", model, "--order", "2", "--json", json)).isZero();
    }
    assertThat(folder.resolve("b.json")).hasSameTextualContentAs(folder.resolve("a.json"));
  }

  @Test
  void namesWhatIsWrong() throws IOException {
    String model = folder.resolve("m").toString();
    assertThat(run("train", own)).isEqualTo(2);
    assertThat(err.toString()).contains("--out=DIR");
    assertThat(run("train", own, "--out", model, "--held-out", "0.9")).isEqualTo(2);
    assertThat(err.toString()).contains("--held-out must be a number from 0 to 0.5: 0.9");
    assertThat(run("train", own, "--out", model, "--order", "7")).isEqualTo(2);
    assertThat(err.toString()).contains("order must be a whole number from 1 to 5: found 7");
    Path empty = Files.writeString(folder.resolve("empty.txt"), ". ,\n");
    assertThat(run("train", empty.toString(), "--out", model)).isEqualTo(2);
    assertThat(err.toString()).contains("must have words to train on");
    assertThat(run("show", own, "--model", model)).isEqualTo(2);
    assertThat(err.toString()).contains("no model: " + model + " has no model.json");
    assertThat(run("train", own, "--out", model, "--held-out", "0")).isZero();
    assertThat(out.toString()).contains("held-out perplexity: -, no text was held out");
    assertThat(run("train", own, "--out", model)).isEqualTo(2);
    assertThat(err.toString()).contains("--out must not have a model yet: " + model);
    assertThat(run("show", empty.toString(), "--model", model)).isEqualTo(2);
    assertThat(err.toString()).contains("must have words");
  }
}
