package io.sluice.models.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.classify.Classification;
import io.sluice.refine.classify.TextClassifier;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.cluster.Embedder;
import io.sluice.refine.cluster.Hierarchy;
import io.sluice.refine.cluster.StoredEmbedder;
import io.sluice.refine.model.Models;
import io.sluice.refine.perplexity.PerplexityModel;
import io.sluice.refine.step.DocumentSteps;
import io.sluice.refine.step.Examination;
import io.sluice.refine.step.StepValues;
import io.sluice.refine.text.Words;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against numbers that the models' own runtimes computed in Python. */
final class NeuralModelsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"classifier.onnx, probabilities", "classifier.pt, torchscript"})
  void aClassifierSaysWhatItsRuntimeSays(String network, String numbers) {
    Path out = folder.resolve("topic");
    TinyModels.of(network).classifier(TinyModels.LABELS, out);
    TextClassifier classifier = Models.open(out, TextClassifier.class);

    assertThat(classifier.labels()).isEqualTo(TinyModels.LABELS);
    assertThat(classifier.texts()).isEmpty();
    for (JsonNode each : TinyModels.expected()) {
      Classification told = classifier.classify(each.path("text").asText());
      double most = 0;
      for (int label = 0; label < 3; label++) {
        double probability = each.path(numbers).path(label).asDouble();
        assertThat(told.probabilities().get(label)).isCloseTo(probability, within(1e-6));
        most = Math.max(most, probability);
      }
      assertThat(told.probability()).isCloseTo(most, within(1e-6));
    }
  }

  @ParameterizedTest
  @CsvSource({"MEAN, true, mean", "CLS, false, cls"})
  void anEmbedderPoolsTheVectorsOfTokens(Pooling pooling, boolean normalised, String numbers) {
    Path out = folder.resolve("embedder");
    TinyModels.of("embedder.onnx").embedder(pooling, normalised, out);
    Embedder embedder = Models.open(out, Embedder.class);

    assertThat(embedder.dimension()).isEqualTo(4);
    assertThat(embedder.version()).startsWith("neural-embedder/4/");
    for (JsonNode each : TinyModels.expected()) {
      float[] vector = embedder.embed(each.path("text").asText());
      for (int i = 0; i < vector.length; i++) {
        assertThat((double) vector[i])
            .isCloseTo(each.path(numbers).path(i).asDouble(), within(1e-5));
      }
    }
  }

  @Test
  void aLanguageModelScoresEachTokenOnceOverWindows() {
    Path out = folder.resolve("language");
    TinyModels.language("language.onnx").perplexity(TinyModels.WINDOWS, out);
    PerplexityModel model = Models.open(out, PerplexityModel.class);

    for (JsonNode each : TinyModels.expected()) {
      String text = each.path("text").asText();
      OptionalDouble found = model.perplexity(text, Words.of(text));
      if (each.path("perplexity").isNull()) {
        assertThat(found).isEmpty();
      } else {
        double perplexity = each.path("perplexity").asDouble();
        assertThat(found.orElseThrow()).isCloseTo(perplexity, within(1e-4 * perplexity));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"classifier.onnx", "classifier.pt"})
  void allThreadsAreToldTheSameByOneModel(String network) throws Exception {
    Path out = folder.resolve("topic");
    TinyModels.of(network).classifier(TinyModels.LABELS, out);
    TextClassifier classifier = Models.open(out, TextClassifier.class);
    assertThat(Models.open(out, TextClassifier.class)).isSameAs(classifier);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      texts.add("the court river ".repeat(1 + i % 7) + "law code ".repeat(i % 5));
    }
    List<Classification> alone = texts.stream().map(classifier::classify).toList();

    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<List<Classification>>> told = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        told.add(threads.submit(() -> texts.stream().map(classifier::classify).toList()));
      }
      for (Future<List<Classification>> each : told) {
        assertThat(each.get()).isEqualTo(alone);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whatIsNoNumberIsRefusedForThatTextAlone() {
    Path topic = folder.resolve("topic");
    TinyModels.of("holed.onnx").classifier(TinyModels.LABELS, topic);
    TextClassifier classifier = Models.open(topic, TextClassifier.class);
    assertThatThrownBy(() -> classifier.classify("the sea"))
        .isInstanceOf(BadInputException.class)
        .hasMessage("a model must answer with finite numbers: found NaN");
    assertThat(classifier.classify("the law").label()).isNotEmpty();

    Path language = folder.resolve("language");
    TinyModels.language("holed-language.onnx").perplexity(1, language);
    PerplexityModel model = Models.open(language, PerplexityModel.class);
    assertThatThrownBy(() -> model.perplexity("a river law", Words.of("a river law")))
        .isInstanceOf(BadInputException.class)
        .hasMessage("a model's perplexity must be finite: found NaN");
    assertThat(model.perplexity("a river", Words.of("a river"))).isPresent();
  }

  @Test
  void aLackOfMemoryIsNoTextsFault() {
    Path topic = folder.resolve("topic");
    TinyModels.of("greedy.onnx").classifier(TinyModels.LABELS, topic);
    TextClassifier classifier = Models.open(topic, TextClassifier.class);

    assertThatThrownBy(() -> classifier.classify("the sea"))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("outside the heap, for a network: ");
    assertThat(classifier.classify("the law").probability()).isEqualTo(1 / 3.0);
  }

  @Test
  void aRefineryTakesStepsOfAllThreeAndItsClustersHaveACopyOfTheEmbedder() {
    Path topic = folder.resolve("topic");
    Path language = folder.resolve("language");
    Path cluster = folder.resolve("cluster");
    StoredEmbedder embedder = embedder(folder.resolve("embedder"));
    float[][] vectors = new float[16][];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = embedder.embed(i % 2 == 0 ? "law court" : "river water sea");
    }
    Hierarchy fit = Hierarchy.fit(vectors, 2, 1, 1, level -> {});
    ClusterModel written =
        ClusterModel.write(
            cluster, fit.tree(), embedder, new ClusterModel.Fit(16, 16, fit.levels()));
    List<RefineStep> steps =
        List.of(
            step(
                "topic",
                topic,
                TinyModels.of("classifier.onnx").classifier(TinyModels.LABELS, topic).hash(),
                Map.of()),
            step(
                "perplexity",
                language,
                TinyModels.language("language.onnx").perplexity(1, language).hash(),
                Map.of("buckets", "2")),
            step("cluster", cluster, written.hash(), Map.of("assign", "descent")));

    Examination found =
        DocumentSteps.open(new RefineSpec("r", List.of("a"), "o", List.of("o"), steps, 0L))
            .examine("law court");

    ClusterModel read = ClusterModel.open(cluster);
    assertThat(read.embedder().embed("law court")).isEqualTo(vectors[0]);
    assertThat(found.properties())
        .containsEntry("cluster", Integer.toString(read.leaf("law court")))
        .containsEntry("topic-model", steps.get(0).getModelHash().substring(0, 16))
        .containsKeys("topic", "topic-probability", "perplexity");
    assertThat(read.leaf("law court")).isNotEqualTo(read.leaf("river water sea"));
    assertThat(StepValues.of(steps.get(0))).isEqualTo(TinyModels.LABELS);
  }

  private static StoredEmbedder embedder(Path out) {
    TinyModels.of("embedder.onnx").embedder(Pooling.MEAN, true, out);
    return StoredEmbedder.open(out);
  }

  private static RefineStep step(
      String name, Path model, String hash, Map<String, String> settings) {
    return new RefineStep(name, model.toString(), hash, settings);
  }
}
