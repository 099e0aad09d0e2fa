package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SimulateCommandTest {
  private static final String DEMO =
      """
      {"domains": ["code", "wiki"], "steps": 30, "batchSize": 8, "sequenceLength": 64,
       "versions": 2, "weights": [{"batch": 1, "weights": {"code": 0.25, "wiki": 0.75}}],
       "evalLoss": [
         {"step": 0, "loss": {"code": 5.5, "wiki": 5.5}},
         {"step": 10, "loss": {"code": 5.0, "wiki": 3.0}},
         {"step": 20, "loss": {"code": 4.5, "wiki": 2.5}}]}
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path directory;

  private int run(String... arguments) {
    return new CommandLine(new SimulateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              err.append(e.getMessage());
              return 2;
            })
        .execute(arguments);
  }

  private int onStack(String... more) {
    List<String> all =
        new ArrayList<>(List.of("--scenario", "system-stack", "--steps", "600", "--every", "20"));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  @Test
  void comparesPoliciesWithTheStaticMixtureAndTheOracle() throws Exception {
    Path json = directory.resolve("out.json");
    Path csv = directory.resolve("out.csv");
    Path svg = directory.resolve("out.svg");
    assertThat(
            onStack(
                "--policy",
                "velocitune,dga:beta=1",
                "--json",
                json.toString(),
                "--csv",
                csv.toString(),
                "--svg",
                svg.toString()))
        .isZero();
    assertThat(out.toString())
        .contains("system-stack: 3 domains, 16.2 billion tokens in 600 batches, rounds of 20")
        .contains("| average of dga:beta=1 |")
        .contains("| oracle ");
    JsonNode policies = new ObjectMapper().readTree(json.toFile()).path("policies");
    assertThat(policies.findValuesAsText("policy"))
        .containsExactly(
            "static",
            "velocitune",
            "average of velocitune",
            "dga:beta=1",
            "average of dga:beta=1",
            "oracle");
    assertThat(policies.path(0).path("batches-to-target").asLong()).isEqualTo(600);
    assertThat(policies.path(5).path("gap-to-oracle").asDouble()).isZero();
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines.get(0)).isEqualTo("policy,batch,domain,weight,loss");
    assertThat(lines).hasSize(1 + 6 * 31 * 3);
    var drawn = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
    assertThat(drawn.getElementsByTagName("polygon").getLength()).isEqualTo(6 * 3);
    assertThat(drawn.getElementsByTagName("path").getLength()).isEqualTo(6 * 3);
  }

  @Test
  void setsWhatIsSharedUnlessAPolicyHasItsOwn() {
    assertThat(onStack("--policy", "dga,dga:eta=0", "--set", "smoothing.largest-change=0.01"))
        .isZero();
    String table = out.toString();
    assertThat(table.lines().filter(line -> line.startsWith("| dga:eta=0 ")).findFirst())
        .hasValueSatisfying(line -> assertThat(line).contains("|  0.00 |"));
    assertThat(table).contains("average of dga ").doesNotContain("average of dga:eta=0");
  }

  @Test
  void groupsTheDomainsThatCannotBeTold() throws IOException {
    Path svg = directory.resolve("low.svg");
    assertThat(
            run(
                "--scenario",
                "low-data",
                "--steps",
                "200",
                "--every",
                "20",
                "--policy",
                "dga",
                "--svg",
                svg.toString()))
        .isZero();
    assertThat(out.toString()).contains("Of 59 more domains, --csv and --json have the losses.");
    assertThat(Files.readString(svg)).contains(">50 others<");
  }

  @Test
  void replaysADemoAndSaysThatTheLoopIsOpen() throws IOException {
    Path demo = Files.writeString(directory.resolve("demo.json"), DEMO);
    assertThat(
            run(
                "--feedback",
                demo.toString(),
                "--policy",
                "velocitune",
                "--set",
                "target-fraction=0.4"))
        .isZero();
    assertThat(out.toString())
        .contains("demo.json: 3 rounds replayed, open loop")
        .contains("the losses are the recorded ones whatever the weights")
        .containsPattern("\\| static +\\|  0.00 \\| +0.2500 \\|")
        .containsPattern("\\| velocitune \\|  0\\.0?[1-9]")
        .doesNotContain("| oracle");
  }

  @Test
  void asksAProcessForTheWeightsOfExternal() throws IOException {
    String answer = "{\"weights\": {\"arxiv\": 0.5, \"blogs\": 0.25, \"stackoverflow\": 0.25}}";
    Path csv = directory.resolve("course.csv");
    int code =
        onStack(
            "--policy",
            "external",
            "--external",
            "while read line; do echo '" + answer + "'; done",
            "--csv",
            csv.toString());
    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
    assertThat(Files.readString(csv)).containsPattern("(?m)^external,[0-9]+,arxiv,0\\.5,");
    assertThat(onStack("--policy", "external", "--external", "exit 0")).isEqualTo(2);
    assertThat(err.toString()).contains("--external must ");
    assertThat(onStack("--policy", "external", "--external", "while read line; do echo 7; done"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("with {\"weights\": {domain: number}} of [arxiv, blogs, ");
    assertThat(onStack("--policy", "external")).isEqualTo(2);
    assertThat(err.toString()).contains("a process must propose weights to the policy external");
  }

  @Test
  void takesThePolicyOfARunsFile() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("run.yaml"),
            """
            run: mine
            dataset: any
            batch: 512 sequences
            initial-weights: uniform
            policy: {velocitune: {every: 150, targets: {fraction: 0.5}}}
            smoothing: {new-weight: 0.5}
            """);
    assertThat(onStack("--run-file", file.toString())).isZero();
    assertThat(out.toString()).contains("| mine ").contains("| average of mine ");
    Files.writeString(file, Files.readString(file).replace("{fraction: 0.5}", "{from-run: proxy}"));
    assertThat(onStack("--run-file", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("targets must be given as losses, a file or a fraction");
  }

  @Test
  void comparesPoliciesOverManySeeds() throws Exception {
    Path json = directory.resolve("seeds.json");
    assertThat(onStack("--policy", "dga,dga:beta=1", "--seeds", "3", "--json", json.toString()))
        .isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines.get(0))
        .isEqualTo("system-stack: 3 domains, 600 batches, rounds of 20, seeds 1 to 3");
    assertThat(lines.get(2))
        .matches("\\| policy +\\| +loss \\| +above static \\| +above dga \\| +churn \\|");
    assertThat(lines.get(4)).matches("\\| static +\\| 2\\.\\d{4} ± 0\\.\\d{4} \\| +– \\| .*");
    assertThat(lines.get(5))
        .contains("| dga ")
        .containsPattern("[+-]0\\.\\d{4} \\([+-]0\\.\\d{4} to [+-]0\\.\\d{4}\\) \\| +– \\|");
    JsonNode report = new ObjectMapper().readTree(Files.readString(json));
    assertThat(report.get("seeds").asInt()).isEqualTo(3);
    assertThat(report.get("policies").findValuesAsText("label"))
        .containsExactly(
            "static", "dga", "average of dga", "dga:beta=1", "average of dga:beta=1", "oracle");
    JsonNode plain = report.get("policies").get(3);
    assertThat(plain.get("churn").get("mean").asDouble())
        .isGreaterThan(report.get("policies").get(1).get("churn").get("mean").asDouble());
    JsonNode oracle = report.get("policies").get(5).get("beyond-static");
    assertThat(plain.get("beyond-static").get("high").asDouble())
        .isGreaterThan(plain.get("beyond-static").get("mean").asDouble());
    assertThat(oracle.get("mean").asDouble()).isNegative();
    assertThat(onStack("--policy", "dga", "--seeds", "1")).isEqualTo(2);
    assertThat(onStack("--policy", "static", "--seeds", "2")).isEqualTo(2);
    assertThat(onStack("--policy", "dga", "--seeds", "2", "--csv", "x")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--seeds must be in [2, 10000]: 1")
        .contains("--policy must name one besides static with --seeds: none is")
        .contains("--csv and --svg must be absent with --seeds: they show one run");
  }

  @Test
  void variesWhatIsInvented() throws Exception {
    Path json = directory.resolve("vary.json");
    assertThat(onStack("--policy", "dga,odm:warm-up=0", "--vary", "3", "--json", json.toString()))
        .isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines.get(0)).isEqualTo("system-stack: 11 invented constants, seed 7");
    assertThat(lines.get(2)).contains("| lower, 22 changes | lower, 3 draws |");
    assertThat(out.toString())
        .containsPattern("\\| dga +\\| +static \\| +[+-]0\\.\\d{4} \\|")
        .contains("average of odm:warm-up=0")
        .contains("Invented: alignment-noise, coefficient, ");
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("draws").asInt()).isEqualTo(3);
    assertThat(report.get("invented").size()).isEqualTo(11);
    JsonNode pair = report.get("pairs").get(2);
    assertThat(pair.get("one").asText()).isEqualTo("dga");
    assertThat(pair.get("other").asText()).isEqualTo("odm:warm-up=0");
    assertThat(pair.get("lower-in-draws").asInt()).isBetween(0, 3);
    assertThat(pair.get("flips").isArray()).isTrue();
    assertThat(onStack("--policy", "dga", "--vary", "10001")).isEqualTo(2);
    assertThat(onStack("--policy", "static", "--vary")).isEqualTo(2);
    assertThat(onStack("--policy", "dga", "--vary", "--seeds", "3")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--vary must be in [0, 10000]: 10001")
        .contains("--policy must name one besides static with --vary: none is")
        .contains("--seeds must be absent with --vary: it is 3");
  }

  @Test
  void namesWhatIsWrong() throws IOException {
    Path demo = Files.writeString(directory.resolve("demo.json"), DEMO);
    assertThat(run("--policy", "dga", "--feedback", demo.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("policy dga must need nothing but held-out losses");
    assertThat(run("--policy", "static", "--feedback", demo.toString(), "--steps", "5"))
        .isEqualTo(2);
    assertThat(err.toString())
        .contains("--steps, --every, --seeds and --vary must be absent with --feedback");
    assertThat(onStack("--policy", "velocitune:eta=-1")).isEqualTo(2);
    assertThat(err.toString()).contains("policy.velocitune.eta must be in [0.0, 1000.0]: -1");
    assertThat(onStack("--policy", "dga:beta")).isEqualTo(2);
    assertThat(err.toString()).contains("--policy must be NAME or NAME:key=value").contains("beta");
    assertThat(onStack("--policy", "best")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--policy must be one of [ado, aioli, curriculum, dga, ")
        .contains("'best'");
    assertThat(onStack("--policy", "dga,dga")).isEqualTo(2);
    assertThat(err.toString()).contains("--policy must name each policy once: 'dga' twice");
    assertThat(onStack("--policy", "dga", "--csv", directory.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains("'--csv': must be a file that can be written: " + directory);
    Files.writeString(demo, "{}");
    assertThat(run("--policy", "static", "--feedback", demo.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("must hold 'domains' and 'evalLoss'");
  }
}
