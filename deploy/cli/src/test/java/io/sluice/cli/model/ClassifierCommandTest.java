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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ClassifierCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  @BeforeEach
  void write() throws IOException {
    lines("law.txt", 40, "the court of appeal heard case number %d of the tenant");
    lines("code.txt", 40, "for (int i = 0; i < %d; i++) { sum += x[i]; }");
    lines("few.txt", 9, "text %d of too few");
  }

  @Test
  void trainsAModelAndShowsHowGoodItIs() throws IOException {
    Path json = directory.resolve("report.json");
    assertThat(train("a", "--held-out", "0.2", "--json", json.toString())).isZero();

    assertThat(out.toString())
        .containsPattern("\\| law +\\| +32 \\| +8 \\| +1.000 \\| +1.000 \\| 1.000 \\|")
        .contains("macro F1 1.0000, accuracy 1.0000, of 16 texts")
        .containsPattern("\\| code +\\| +8 \\| +0 \\|");
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(out.toString()).contains("model " + report.path("hash").asText() + " in ");
    assertThat(report.path("texts").path("code").asInt()).isEqualTo(32);
    assertThat(report.path("evaluation").path("macro-f1").asDouble()).isEqualTo(1);
    assertThat(report.path("evaluation").path("confusion").path(0).path(0).asInt()).isEqualTo(8);

    out.getBuffer().setLength(0);
    assertThat(run("show", "--model", directory.resolve("a").toString())).isZero();
    assertThat(out.toString())
        .containsPattern("\\| law +\\| +32 \\|")
        .contains(report.path("hash").asText())
        .contains("2 labels x 262144 buckets, of a text's first 20000 characters");
  }

  @Test
  void measuresAModelWithOtherTexts() throws IOException {
    assertThat(train("a", "--held-out", "0", "--epochs", "3")).isZero();
    Path other = lines("other.txt", 5, "judge %d of the court heard the tenant");
    out.getBuffer().setLength(0);

    String model = directory.resolve("a").toString();
    assertThat(run("test", "--model", model, "--format", "lines", "--label", "law=" + other))
        .isZero();
    assertThat(out.toString())
        .contains("macro F1 1.0000, accuracy 1.0000, of 5 texts")
        .containsPattern("\\| code +\\| +40 \\| +0 \\| +- \\| +- \\| +- \\|");
    assertThat(run("test", "--model", model, "--label", "news=" + other)).isEqualTo(2);
    assertThat(err.toString()).contains("label must be one of [code, law]: 'news'");
  }

  @Test
  void refusesWhatItCannotTrainWith() {
    assertThat(train("a", "--label", "few=" + directory.resolve("few.txt"))).isEqualTo(2);
    assertThat(err.toString())
        .contains("a label must have at least 10 different texts: 'few' has 9");
    assertThat(directory.resolve("a")).doesNotExist();
    assertThat(train("a", "--label", "few")).isEqualTo(2);
    assertThat(err.toString()).contains("--label must be NAME=PATH: 'few'");
    assertThat(train("a", "--label", "a.b=x")).isEqualTo(2);
    assertThat(err.toString()).contains("label must be 1 to 63 letters");
    assertThat(train("law.txt")).isEqualTo(2);
    assertThat(err.toString()).contains("--out must be a directory that is not there yet: ");
  }

  private int train(String out, String... more) {
    List<String> arguments = new ArrayList<>(List.of("train", "--format", "lines", "--out"));
    arguments.add(directory.resolve(out).toString());
    for (String label : List.of("law", "code")) {
      arguments.addAll(List.of("--label", label + "=" + directory.resolve(label + ".txt")));
    }
    arguments.addAll(List.of(more));
    return run(arguments.toArray(new String[0]));
  }

  private int run(String... arguments) {
    return new CommandLine(new ClassifierCommand())
        .addMixin(CliCommand.GLOBAL, new GlobalOptions(Map.of(), directory))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              err.append(e.getMessage());
              return 2;
            })
        .execute(arguments);
  }

  private Path lines(String name, int count, String line) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(line.formatted(i)).append('\n');
    }
    return Files.writeString(directory.resolve(name), text);
  }
}
