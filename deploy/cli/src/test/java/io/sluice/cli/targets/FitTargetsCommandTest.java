package io.sluice.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class FitTargetsCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path directory;
  private Path csv;

  private int run(String... arguments) {
    return new CommandLine(new FitTargetsCommand())
        .addMixin(CliCommand.GLOBAL, new GlobalOptions(Map.of(), directory))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              err.append(e.getMessage());
              return 2;
            })
        .execute(arguments);
  }

  /** 'law' follows 1.5 + 40 / D^0.4, with a little scatter; 'rising' gets worse. */
  @BeforeEach
  void write() throws IOException {
    StringBuilder text = new StringBuilder("domain,tokens,loss\nlaw,0,4\nrising,0,2\n");
    for (int n = 1; n <= 8; n++) {
      double scatter = n % 2 == 0 ? 1e-5 : -1e-5;
      double loss = 1.5 + 40 * Math.pow(n * 1000, -.4) + scatter;
      text.append("law,%d,%s\n".formatted(n * 1000, loss));
      text.append("rising,%d,%s\n".formatted(n * 1000, 2 + n / 10.0));
    }
    csv = Files.writeString(directory.resolve("losses.csv"), text);
  }

  @Test
  void fitsEachDomainAndFallsBackToTheLastLoss() throws Exception {
    Path json = directory.resolve("targets.json");
    Path svg = directory.resolve("targets.svg");
    assertThat(
            run(
                csv.toString(),
                "--at",
                "20000",
                "--json",
                json.toString(),
                "--svg",
                svg.toString()))
        .isZero();
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    double expected = 1.5 + 40 * Math.pow(20000, -.4);
    JsonNode law = report.path("domains").path("law");
    assertThat(law.path("target").asDouble()).isCloseTo(expected, within(1e-3));
    assertThat(law.path("low").asDouble()).isLessThan(expected);
    assertThat(law.path("high").asDouble()).isGreaterThan(expected);
    assertThat(law.path("initial-loss").asDouble()).isEqualTo(4);
    assertThat(report.path("targets").path("rising").asDouble()).isEqualTo(2.8);
    assertThat(report.path("domains").path("rising").path("rejected").asText()).isNotEmpty();
    assertThat(out.toString())
        .contains("losses.csv: target losses at 2.000e+04 tokens")
        .contains("refused for rising, whose last loss is taken instead: ")
        .containsPattern("\\| law +\\| +8 \\|")
        .contains("settled");
    var drawn = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
    assertThat(drawn.getElementsByTagName("circle").getLength()).isEqualTo(2 * (8 + 1));
    assertThat(drawn.getElementsByTagName("path").getLength()).isEqualTo(2);
    assertThat(drawn.getElementsByTagName("polygon").getLength()).isEqualTo(1);
  }

  @Test
  void saysWhetherTheTargetsHaveSettled() throws IOException {
    Files.writeString(csv, "tokens,domain,loss\n1,a,5\n2,a,4\n3,a,3.5\n4,a,3.3\n");
    assertThat(run(csv.toString(), "--at", "100")).isZero();
    assertThat(out.toString()).contains("not settled: that takes more than 4 complete");
    Files.writeString(csv, "5,a,3.29\n", java.nio.file.StandardOpenOption.APPEND);
    assertThat(run(csv.toString(), "--at", "100")).isZero();
    assertThat(out.toString()).contains("not settled: the last measurement moved a target by");
    assertThat(run(csv.toString(), "--at", "8")).isZero();
    assertThat(out.toString()).contains("not settled, but 60 % of the tokens are used");
  }

  @Test
  void readsADemosReportAndSaysThatItsMixtureMoved() throws IOException {
    StringBuilder rounds = new StringBuilder();
    for (int step = 0; step <= 60; step += 10) {
      double loss = 1 + 9 * Math.pow(512.0 * (step + 1), -.3);
      rounds.append(step == 0 ? "" : ",").append("{\"step\":" + step + ",\"loss\":{\"java\":");
      rounds.append(loss).append("}}");
    }
    Path demo =
        Files.writeString(
            directory.resolve("demo.json"),
            "{\"domains\":[\"java\"],\"steps\":100,\"batchSize\":8,\"sequenceLength\":64,"
                + "\"versions\":3,\"evalLoss\":["
                + rounds
                + "]}");
    assertThat(run(demo.toString())).isZero();
    assertThat(out.toString())
        .contains("demo.json: target losses at 5.120e+04 tokens")
        .contains("The mixture changed during this run");
  }

  @Test
  void namesWhatIsWrong() throws IOException {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("--run=NAME | FILE");
    assertThat(run(csv.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains("--at must be given, because losses.csv does not say when it ends");
    assertThat(run(csv.toString(), "--at", "-3")).isEqualTo(2);
    assertThat(err.toString()).contains("--at must be a finite number of tokens above 0: -3.0");
    Files.writeString(csv, "tokens,domain,loss\n10,a,0\n");
    assertThat(run(csv.toString(), "--at", "9")).isEqualTo(2);
    assertThat(err.toString()).contains("losses.csv, line 2: loss must be finite and above 0: 0");
    Files.writeString(csv, "tokens,domain,loss\n0,a,2\n");
    assertThat(run(csv.toString(), "--at", "9")).isEqualTo(2);
    assertThat(err.toString()).contains("losses of a must be measured at least once after");
    Files.writeString(csv, "a,b\n");
    assertThat(run(csv.toString(), "--at", "9")).isEqualTo(2);
    assertThat(err.toString()).contains("must name the columns [tokens, domain, loss]: [a, b]");
    assertThat(run(directory.resolve("none.json").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("FILE must be a demo's --json file");
  }
}
