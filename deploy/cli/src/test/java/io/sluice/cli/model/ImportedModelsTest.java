package io.sluice.cli.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Sluice;
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

/** Commands on models that others have made, by the tiny ones of the module that runs them. */
final class ImportedModelsTest {
  private static final Path TINY = Path.of("../../flink-jobs/models/src/test/resources/models");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;
  private String texts = "";

  @BeforeEach
  void write() throws IOException {
    String lines = "the judge of the court\nint loop code\na river , a water\n".repeat(20);
    texts = Files.writeString(folder.resolve("texts.txt"), lines).toString();
  }

  @Test
  void aClassifierIsShownAndMeasuredAsOthersAre() {
    assertThat(take("classifier", "classifier.onnx", "--labels", "law,code,water")).isZero();
    assertThat(out.toString()).containsPattern("model [0-9a-f]{64}: a neural-classifier in ");
    does("classifier", "show", "--model", model());
    assertThat(out.toString())
        .containsPattern("\\| water +\\| +- \\|")
        .contains(": 3 labels, neural, of a text's first 16 tokens");
    does("classifier", "test", "--model", model(), "--format", "lines", "--label", "law=" + texts);
    assertThat(out.toString()).contains("accuracy ", " of 60 texts");
  }

  @Test
  void aLanguageModelShowsHowPerplexitiesLie() {
    assertThat(take("perplexity", "language.onnx", "--windows", "2")).isZero();
    does("perplexity", "show", "--model", model(), "--format", "lines", texts);
    assertThat(out.toString()).contains("documents: 60\nwithout words: 0\nmedian: ");
  }

  @Test
  void clustersAreFittedToTheVectorsOfAnEmbedder() {
    assertThat(take("embedder", "embedder.onnx", "--pooling", "cls", "--raw")).isZero();
    String clusters = folder.resolve("clusters").toString();
    does(
        "cluster",
        "fit",
        texts,
        "--format",
        "lines",
        "--embedder",
        model(),
        "--branching",
        "2",
        "--levels",
        "1",
        "--out",
        clusters);
    assertThat(out.toString()).contains("embedder neural-embedder/4/");
    does("histogram", texts, "--format", "lines", "--model", clusters);
    assertThat(out.toString()).contains("60 documents in ");
    assertThat(run("cluster", "fit", texts, "--embedder", clusters, "--out", model() + "2"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("it must be a neural-embedder: found a cluster-tree");
  }

  @Test
  void whatCannotBeUsedIsSaid() throws IOException {
    assertThat(take("classifier", "classifier.onnx", "--labels", "law,code")).isEqualTo(2);
    assertThat(err.toString()).contains("found [1, 3]");
    assertThat(take("embedder", "embedder.onnx", "--pooling", "max")).isEqualTo(2);
    assertThat(err.toString()).contains("'--pooling'");
    Files.createDirectory(folder.resolve("model"));
    assertThat(take("perplexity", "language.onnx")).isEqualTo(2);
    assertThat(err.toString()).contains("--out must be a directory that is not there yet: ");
  }

  private String model() {
    return folder.resolve("model").toString();
  }

  private int take(String kind, String network, String... more) {
    List<String> arguments = new ArrayList<>(List.of(kind, "import", "--max-tokens", "16"));
    arguments.addAll(List.of("--model", TINY.resolve(network).toString(), "--out", model()));
    arguments.addAll(List.of("--tokenizer", TINY.resolve("tokenizer.json").toString()));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  private void does(String... arguments) {
    assertThat(run(arguments)).as(err.toString()).isZero();
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    return Sluice.commandLine(new GlobalOptions(Map.of(), folder), root -> {})
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
