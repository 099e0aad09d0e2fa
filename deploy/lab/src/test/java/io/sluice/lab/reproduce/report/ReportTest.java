package io.sluice.lab.reproduce.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.cli.plot.Panel;
import io.sluice.control.error.BadInputException;
import io.sluice.lab.reproduce.claim.Judgement;
import io.sluice.lab.reproduce.claim.Outcome;
import io.sluice.lab.reproduce.claim.Results;
import io.sluice.lab.reproduce.claim.Verdict;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class ReportTest {
  private static final String SCHEMA = "/io/sluice/lab/reproduce/report.schema.json";
  private static final Map<String, String> HERE =
      Map.of("machine", "2 cores", "command", "sluice reproduce " + MadeUp.HOSTILE);
  private static final Map<String, String> THERE = Map.of("machine", "64 cores");

  private static final Report REPORT = MadeUp.report(HERE);
  private static final String JSON = ReportJson.text(REPORT);
  private static final String MARKDOWN = ReportMarkdown.text(REPORT);
  private static final String HTML = ReportHtml.text(REPORT);

  @Test
  void theJsonIsAsTheSchemaHasIt() throws Exception {
    JsonNode schema = TestingSchema.read(SCHEMA);
    JsonNode json = new ObjectMapper().readTree(JSON);
    assertThat(TestingSchema.wrong(schema, json)).isEmpty();
    ((ObjectNode) json.get("claims").get(0)).put("verdict", "likely").put("odd", 1);
    ((ObjectNode) json).remove("form");
    assertThat(TestingSchema.wrong(schema, json))
        .containsExactly(
            "$: form", "$.claims[0].verdict: enum", "$.claims[0].odd: additionalProperties");
  }

  @Test
  void theJsonHasTheResultsAndTheHashOfTheClaims() throws Exception {
    JsonNode json = new ObjectMapper().readTree(JSON);
    assertThat(json.get("claimsSha256").asText()).isEqualTo(MadeUp.CLAIMS.sha256());
    JsonNode arm = json.at("/experiments/1/arms/0");
    assertThat(arm.get("name").asText()).isEqualTo("dynamic-batch-loading");
    assertThat(arm.at("/seeds/1/failed").asText()).isEqualTo(MadeUp.HOSTILE);
    assertThat(arm.at("/seeds/0/measures/without-learning~1accuracy~1mean").asDouble())
        .isEqualTo(0.25);
    assertThat(arm.at("/courses/0/name").asText()).isEqualTo("loss/algebra");
    assertThat(arm.at("/courses/0/steps")).hasSize(MadeUp.STEPS);
    assertThat(json.get("notRun")).isNotEmpty();
  }

  @Test
  void equalResultsGiveEqualBytesButForTheEnvironment() throws Exception {
    Report again = MadeUp.report(HERE);
    assertThat(ReportJson.text(again)).isEqualTo(JSON);
    assertThat(ReportMarkdown.text(again)).isEqualTo(MARKDOWN);
    assertThat(ReportHtml.text(again)).isEqualTo(HTML);
    ObjectNode here = ReportJson.json(REPORT);
    Report elsewhere = MadeUp.report(THERE);
    ObjectNode there = ReportJson.json(elsewhere);
    assertThat(there).isNotEqualTo(here);
    here.remove("environment");
    there.remove("environment");
    assertThat(there).isEqualTo(here);
    String mark = "## Not reproducible: the environment";
    assertThat(ReportMarkdown.text(elsewhere))
        .startsWith(MARKDOWN.substring(0, MARKDOWN.indexOf(mark) + mark.length()));
  }

  @Test
  void whatSpeaksAgainstThePaperComesFirst() {
    assertThat(REPORT.judgements())
        .extracting(Judgement::verdict)
        .isSorted()
        .contains(Verdict.REFUTED, Verdict.UNDECIDED, Verdict.SHOWN);
    List<String> text = MARKDOWN.lines().toList();
    assertThat(text.indexOf("## Refuted"))
        .isBetween(0, text.indexOf("## Undecided"))
        .isLessThan(text.indexOf("## Shown"));
  }

  @Test
  void aClaimIsToldWithItsNumbers() {
    assertThat(MARKDOWN)
        .containsPattern("- \\*\\*velocitune\\*\\*: 2\\.\\d+ ± 0\\.\\d+, seeds: 5")
        .containsPattern("- \\*\\*difference\\*\\*: velocitune − proportional = .* pairs: 5")
        .contains("- **missing**: seed 2: dynamic-batch-loading failed: &lt;script&gt;")
        .contains("seed 1: average was not run")
        .contains("| dynamic-batch-loading")
        .contains("4 of 5")
        .containsPattern("\\| without learning +\\| +\\| +0\\.25 ")
        .contains("- A small model.")
        .contains("experiment dga-dist");
  }

  @Test
  void armsWithBothLossesAreDrawnAgainstEachOther() {
    Results.Builder results = Results.builder();
    for (String arm : List.of("dga@500", "importance-sampling-512@500", "dga@8", "other")) {
      for (long seed = 1; seed <= 2; seed++) {
        TreeMap<String, Double> measures = new TreeMap<>(Map.of("target_loss", 2.0 + seed));
        if (!arm.equals("other")) {
          measures.put("general_loss/mean", 3.0 - seed);
        }
        results.add("dga-dist", arm, seed, new Outcome.Finished(measures, new TreeMap<>()));
      }
    }
    List<ScatterFigure> scatters = ScatterFigure.of(results.build(), "dga-dist");
    assertThat(scatters).hasSize(1);
    assertThat(scatters.get(0).note())
        .endsWith("rank correlation of target_loss and general_loss/mean: -1.00 over 6 points.");
    Figure figure = scatters.get(0).figure();
    assertThat(figure.legend()).containsExactly("dga", "importance-s…ing-512");
    assertThat(figure.panels())
        .extracting(Panel::title)
        .containsExactly("seeds, @500", "seeds, @8");
    Mark.Points points = (Mark.Points) figure.panels().get(0).marks().get(0);
    assertThat(points.x()).containsExactly(3, 4);
    assertThat(points.y()).containsExactly(2, 1);
    assertThat(figure.panels().get(1).marks()).hasSize(1);
    assertThat(ScatterFigure.of(results.build(), "dga")).isEmpty();
  }

  @Test
  void nothingThatIsToldBecomesMarkup() throws Exception {
    assertThat(HTML).doesNotContain("<script").doesNotContain("http-equiv").doesNotContain("src=");
    Document page =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(HTML)));
    assertThat(page.getElementsByTagName("script").getLength()).isZero();
    assertThat(page.getDocumentElement().getTextContent())
        .contains("<script>alert('x')</script> | `a` \uFFFD & \"b\"");
    assertThat(page.getElementsByTagName("svg").getLength())
        .isGreaterThan(REPORT.judgements().size() / 2);
    assertThat(HTML).doesNotContain("NaN").doesNotContain("Infinity");
    assertThat(MARKDOWN)
        .doesNotContain("<script")
        .contains("&lt;script&gt;alert('x')&lt;/script&gt; \\| \\`a\\`   &amp; \"b\"");
  }

  @Test
  void aReportOfNothingIsAReport() throws Exception {
    Report nothing =
        Report.of("quick", MadeUp.CLAIMS, Results.builder().build(), Map.of(), Map.of());
    assertThat(TestingSchema.wrong(TestingSchema.read(SCHEMA), ReportJson.json(nothing))).isEmpty();
    assertThat(ReportMarkdown.text(nothing)).contains("No experiment was run.");
    assertThat(ReportHtml.text(nothing)).contains("No experiment was run.");
  }

  @Test
  void filesAreWrittenWhereTheyCanBe(@TempDir Path folder) throws Exception {
    Path out = folder.resolve("a/b");
    ReportFiles.write(REPORT, out);
    ReportFiles.write(REPORT, out);
    assertThat(Files.readString(out.resolve(ReportFiles.JSON))).isEqualTo(JSON);
    assertThat(out.resolve(ReportFiles.MARKDOWN)).isNotEmptyFile();
    assertThat(out.resolve(ReportFiles.HTML)).isNotEmptyFile();
    assertThatThrownBy(() -> ReportFiles.write(REPORT, out.resolve(ReportFiles.JSON)))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("--out must be a folder that can be written");
  }

  @Test
  void whatIsReadBackIsTheSameReport(@TempDir Path folder) throws Exception {
    Path json = Files.writeString(folder.resolve("report.json"), JSON);
    assertThat(ReportFiles.markdown(ReportFiles.read(json, MadeUp.CLAIMS))).isEqualTo(MARKDOWN);
  }

  @Test
  void verdictsAreNotTakenFromAFile(@TempDir Path folder) throws Exception {
    Path json =
        Files.writeString(folder.resolve("report.json"), JSON.replace("\"refuted\"", "\"shown\""));
    assertThat(ReportFiles.markdown(ReportFiles.read(json, MadeUp.CLAIMS))).isEqualTo(MARKDOWN);
  }

  @Test
  void whatIsNoReportOfTheseClaimsIsRefused(@TempDir Path folder) throws Exception {
    for (String wrong :
        List.of(
            "[",
            "{}",
            JSON.replace("\"version\" : 1", "\"version\" : 2"),
            JSON.replace(MadeUp.CLAIMS.sha256(), "0".repeat(64)),
            JSON.replace("accuracy/mean\" : 0.25", "accuracy/mean\" : \"much\""),
            JSON.replace("\"ordering\"", "\"<b>\""))) {
      Path json = Files.writeString(folder.resolve("report.json"), wrong);
      assertThatThrownBy(() -> ReportFiles.read(json, MadeUp.CLAIMS))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("report.json must be a report of experiments: ");
    }
    assertThatThrownBy(() -> ReportFiles.read(folder.resolve("none"), MadeUp.CLAIMS))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("no report that can be read");
  }
}
