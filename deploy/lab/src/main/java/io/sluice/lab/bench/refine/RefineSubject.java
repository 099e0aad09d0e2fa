package io.sluice.lab.bench.refine;

import io.sluice.refine.classify.ClassifierTraining;
import io.sluice.refine.classify.TrainingSettings;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.cluster.DocumentFrequencies;
import io.sluice.refine.cluster.HashedEmbedder;
import io.sluice.refine.cluster.Hierarchy;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.perplexity.NgramSettings;
import io.sluice.refine.perplexity.NgramTrainer;
import io.sluice.refine.step.DocumentSteps;
import io.sluice.refine.targets.BenchmarkGrams;
import io.sluice.refine.text.Words;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Steps with models that were fitted to every other text.
 *
 * @param steps by their names
 */
record RefineSubject(Map<String, RefineStep> steps) {
  private static final int BRANCHING = 64;

  /** Fits the models, and writes them below a folder. */
  static RefineSubject fit(List<String> texts, Path folder) {
    Map<String, RefineStep> steps = new LinkedHashMap<>();
    steps.put(
        "benchmark",
        step(
            "benchmark",
            benchmark(texts).write(folder.resolve("b")),
            folder.resolve("b"),
            Map.of()));
    steps.put(
        "duplicates",
        new RefineStep("duplicates", "", "", Map.of("words", "5", "bands", "20", "rows", "7")));
    steps.put(
        "topic", step("topic", topics(texts, folder.resolve("t")), folder.resolve("t"), Map.of()));
    NgramTrainer ngrams = new NgramTrainer(NgramSettings.STANDARD);
    half(texts, text -> ngrams.add(Words.of(text)));
    steps.put(
        "perplexity",
        step(
            "perplexity",
            ngrams.model().write(folder.resolve("p")),
            folder.resolve("p"),
            Map.of()));
    steps.put(
        "cluster",
        step(
            "cluster",
            ModelDirectory.open(clusters(texts, folder.resolve("c")), ClusterModel.KIND, 1L << 30),
            folder.resolve("c"),
            Map.of("assign", "descent")));
    return new RefineSubject(steps);
  }

  /**
   * Steps that need no files any more: each alone, and all of them.
   *
   * @param steps by their names
   */
  record Opened(Map<String, DocumentSteps> steps) {}

  Opened open() {
    Map<String, DocumentSteps> opened = new LinkedHashMap<>();
    steps.forEach((name, step) -> opened.put(name, open(List.of(step))));
    opened.put("all steps", open(List.copyOf(steps.values())));
    return new Opened(opened);
  }

  private static DocumentSteps open(List<RefineStep> chosen) {
    return DocumentSteps.open(
        new RefineSpec("bench", List.of("in"), "out", List.of("out"), chosen, 0L));
  }

  private static RefineStep step(
      String name, ModelDirectory model, Path folder, Map<String, String> settings) {
    return new RefineStep(name, folder.toString(), model.hash(), settings);
  }

  private static BenchmarkGrams benchmark(List<String> texts) {
    BenchmarkGrams.Builder builder = BenchmarkGrams.builder();
    // Of texts that nobody else has, so that every text is looked through to its end.
    half(texts, text -> builder.add("bench", new StringBuilder(text).reverse().toString()));
    return builder.build();
  }

  private static ModelDirectory topics(List<String> texts, Path folder) {
    ClassifierTraining training =
        new ClassifierTraining(TrainingSettings.STANDARD.with(3, 0, 1), List.of("long", "short"));
    List<Integer> lengths = texts.stream().map(String::length).sorted().toList();
    int middle = lengths.get(lengths.size() / 2);
    half(texts, text -> training.add(text.length() > middle ? "long" : "short", text));
    return training.train().classifier().write(folder);
  }

  private static Path clusters(List<String> texts, Path folder) {
    DocumentFrequencies frequencies = new DocumentFrequencies(HashedEmbedder.CHARACTERS);
    half(texts, frequencies::add);
    HashedEmbedder embedder = frequencies.embedder(HashedEmbedder.DIMENSION);
    float[][] vectors = new float[(texts.size() + 1) / 2][];
    int[] next = {0};
    half(texts, text -> vectors[next[0]++] = embedder.embed(text));
    Hierarchy fitted = Hierarchy.fit(vectors, BRANCHING, 2, 1, level -> {});
    ClusterModel.write(
        folder,
        fitted.tree(),
        embedder,
        new ClusterModel.Fit(vectors.length, vectors.length, fitted.levels()));
    return folder;
  }

  private static void half(List<String> texts, Consumer<String> taker) {
    for (int i = 0; i < texts.size(); i += 2) {
      taker.accept(texts.get(i));
    }
  }
}
