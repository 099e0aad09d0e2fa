package io.sluice.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.control.config.ConfigFile;
import io.sluice.control.runs.RunFile;
import io.sluice.refine.cluster.Histogram;
import io.sluice.refine.cluster.Histograms;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;
  private Path texts;
  private Path model;

  /** Two hundred texts, each of words of one of four topics. */
  @BeforeEach
  void write() throws IOException {
    Random random = new Random(1);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      StringBuilder line = new StringBuilder();
      for (int word = 0; word < 30; word++) {
        line.append((char) ('a' + i % 4)).append("word").append(random.nextInt(40)).append(' ');
      }
      lines.add(line.toString());
    }
    texts = Files.write(folder.resolve("texts.txt"), lines);
    model = folder.resolve("model");
  }

  @Test
  void fitsAndShowsClusters() throws IOException {
    Path json = folder.resolve("report.json");
    assertThat(fit("--json", json.toString())).isZero();

    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.path("documents").intValue()).isEqualTo(200);
    assertThat(report.path("vectors").intValue()).isEqualTo(200);
    assertThat(report.path("embedder").asText()).startsWith("hashed-1/64/4096/");
    assertThat(report.path("levels").path(0).path("clusters").intValue()).isEqualTo(4);
    assertThat(report.path("levels").path(0).path("smallest").intValue()).isEqualTo(50);
    assertThat(err.toString())
        .contains("sluice: counted words of 200 documents")
        .contains("sluice: embedded 200 documents, of which 200 are used")
        .contains("sluice: divided into 4 clusters");
    String fitted = out.toString();
    assertThat(fitted)
        .contains("fitted to 200 documents, all of them used")
        .containsPattern("\\| 1 +\\| +4 \\|");
    out.getBuffer().setLength(0);
    assertThat(run("cluster", "show", "--model", model.toString())).isZero();
    assertThat(out.toString()).isEqualTo(fitted);
  }

  @Test
  void saysThatASampleIsUsed() {
    assertThat(fit("--sample", "50", "--no-idf")).isZero();

    assertThat(out.toString()).contains("200 documents, a sample of 50 (25.00 %) of them used");
    assertThat(out.toString()).contains("/unweighted");
    assertThat(err.toString()).doesNotContain("counted words");
  }

  @Test
  void countsDocumentsByCluster() throws IOException {
    fit();
    Path json = folder.resolve("histogram.json");
    assertThat(histogram(2, "--by", "top", "--json", json.toString())).isZero();

    assertThat(out.toString())
        .contains("20 documents in 2 of 4 clusters of model ")
        .containsPattern("\\| [0-3] +\\| +10 \\| 0\\.500000 \\|")
        .containsPattern("2 clusters without documents: [0-3], [0-3]");
    Histogram read = Histograms.read(json);
    assertThat(read.documents()).isEqualTo(20);
    assertThat(read.weights().values()).containsExactly(0.5, 0.5);
    assertThat(histogram(2, "--json", json.toString())).isZero();
    assertThat(Histograms.read(json).weights()).hasSizeGreaterThan(2);
  }

  @Test
  void printsWhatPoliciesTake() {
    fit();
    out.getBuffer().setLength(0);
    assertThat(histogram(4, "--by", "top", "--weights", "c{cluster}", "--basis", "mine")).isZero();

    String[] documents = out.toString().split("---\n", -1);
    assertThat(documents).hasSize(2);
    assertThat(settings(documents[0]))
        .isEqualTo(
            Map.of(
                "histogram.c0", "10",
                "histogram.c1", "10",
                "histogram.c2", "10",
                "histogram.c3", "10"));
    assertThat(settings(documents[1]))
        .isEqualTo(Map.of("basis.mine", "c0=0.25 c1=0.25 c2=0.25 c3=0.25"));
    out.getBuffer().setLength(0);
    assertThat(histogram(3, "--by", "top", "--weights", "c{cluster}")).isZero();
    assertThat(out.toString())
        .containsPattern("# 1 clusters without documents, whose domains get weight 0: c[0-3]\n");
  }

  /** The policy's settings of a run's file that the printed lines are put into. */
  private static Map<String, String> settings(String printed) {
    String yaml = "run: r\ndataset: d\nbatch: 4 sequences\ninitial-weights: uniform\n" + printed;
    RunFile file = RunFile.parse(ConfigFile.parse("run.yaml", yaml), dataset -> 64);
    return file.policySettings();
  }

  @Test
  void refusesWhatCannotBe() {
    fit();
    assertRefused(fit(), "--out must not be there yet");
    assertRefused(fit("--levels", "4"), "levels must be a whole number from 1 to 3: found 4");
    assertRefused(histogram(1, "--weights", "c"), "with {cluster} in it, such as c{cluster}");
    assertRefused(histogram(1, "--weights", "a/{cluster}"), "found 'a/{cluster}'");
    assertRefused(histogram(1, "--weights", "c{cluster}", "--basis", "a b"), "--basis must be");
    assertRefused(
        run("cluster", "show", "--model", folder.resolve("none").toString()), "no model: ");
    assertRefused(run("cluster"), "a command is missing: fit or show");
  }

  @Test
  void makesTopicsThatFollowOthersClusters() throws IOException {
    fit();
    String some = some(1).toString();
    Path json = folder.resolve("basis.json");
    assertThat(basis("--topic", "mine=" + some, "--topics", "2", "--json", json.toString()))
        .as(err.toString())
        .isZero();

    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.path("scale").doubleValue()).isEqualTo(1 / 3.0);
    JsonNode topics = report.path("topics");
    assertThat(topics.findValuesAsText("name")).containsExactly("g0", "g1", "mine");
    assertThat(topics.path(0).path("copies").doubleValue()).isCloseTo(200 / 3.0, within(1e-6));
    assertThat(topics.path(2).path("copies").doubleValue()).isCloseTo(200 / 3.0, within(1e-6));
    assertThat(topics.path(2).path("effectiveSize").doubleValue()).isLessThan(51);
    String printed = out.toString();
    out.getBuffer().setLength(0);
    assertThat(run("basis", "show", "--model", folder.resolve("basis").toString())).isZero();
    assertThat(printed).endsWith(out.toString());
    assertThat(out.toString()).containsPattern("\\| mine +\\| +66\\.7 \\|.*0\\.0000 \\|");
  }

  @Test
  void refusesTopicsThatCannotBe() {
    fit();
    assertRefused(basis(), "--topic or --topics must say at least 1 topic: found none");
    assertRefused(basis("--topic", "mine"), "--topic must be NAME=PATH: 'mine'");
    assertRefused(basis("--topic", "a b=" + texts), "topics must be called 1 to 63 letters");
    assertRefused(basis("--topics", "5000"), "topics must be a whole number from 1 to ");
    assertRefused(
        basis("--topics", "1", "--topic", "g0=" + texts),
        "--topic must have another name beside --topics: g0");
    assertRefused(basis("--topics", "1", "--scale", "0"), "scale must be a number above 0");
  }

  private int basis(String... more) {
    return run(
        with(
            more,
            "basis",
            "fit",
            texts.toString(),
            "--format",
            "lines",
            "--model",
            model.toString(),
            "--out",
            folder.resolve("basis").toString()));
  }

  private void assertRefused(int code, String reason) {
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains(reason);
  }

  private int fit(String... more) {
    return run(
        with(
            more,
            "cluster",
            "fit",
            texts.toString(),
            "--format",
            "lines",
            "--out",
            model.toString(),
            "--branching",
            "4",
            "--dimension",
            "64"));
  }

  /** Counts forty texts, of the first so many topics alone. */
  private int histogram(int topics, String... more) {
    return run(
        with(
            more,
            "histogram",
            some(topics).toString(),
            "--format",
            "lines",
            "--model",
            model.toString()));
  }

  private Path some(int topics) {
    try {
      List<String> lines = Files.readAllLines(texts);
      List<String> some = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        if (i % 4 < topics) {
          some.add(lines.get(i));
        }
      }
      return Files.write(folder.resolve("some.txt"), some);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String[] with(String[] more, String... first) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private int run(String... arguments) {
    return Sluice.commandLine(new GlobalOptions(Map.of(), folder), root -> {})
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
