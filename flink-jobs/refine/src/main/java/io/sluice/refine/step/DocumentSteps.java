package io.sluice.refine.step;

import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.basis.BasisModel;
import io.sluice.refine.basis.BasisTopics;
import io.sluice.refine.classify.Classification;
import io.sluice.refine.classify.TextClassifier;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.model.Models;
import io.sluice.refine.perplexity.PerplexityModel;
import io.sluice.refine.targets.BenchmarkGrams;
import io.sluice.refine.text.Words;
import io.sluice.refine.twin.SignatureScheme;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The steps of a specification, with their models. Thread-safe. */
public final class DocumentSteps {
  /** Ends the name of the property with the hash of a step's model. */
  public static final String MODEL = "-model";

  private static final int HASH_DIGITS = 16;

  private final List<DocumentStep> steps;

  private DocumentSteps(List<DocumentStep> steps) {
    this.steps = List.copyOf(steps);
  }

  /**
   * Opens the models of a specification.
   *
   * @throws BadInputException if one is missing, cannot be used, or is another one than was
   *     specified
   */
  public static DocumentSteps open(RefineSpec spec) {
    List<DocumentStep> steps = new ArrayList<>();
    spec.getSteps().forEach(step -> steps.add(open(step)));
    return new DocumentSteps(steps);
  }

  /** What a bucket or a cluster is called. */
  public static String name(int number) {
    return Integer.toString(number);
  }

  /** What all steps say of a text; it costs time and memory in proportion to its length. */
  public Examination examine(String text) {
    Words words = Words.of(text);
    Examination.Builder found = new Examination.Builder();
    steps.forEach(step -> step.examine(text, words, found));
    return found.build();
  }

  private static DocumentStep open(RefineStep step) {
    return switch (step.getName()) {
      case StepNames.BENCHMARK -> benchmark(model(step, BenchmarkGrams.class));
      case StepNames.SYNTHESIZE ->
          (text, words, found) -> {}; // Asked elsewhere, not on these threads.
      case StepNames.DUPLICATES -> duplicates(StepSettings.scheme(step));
      case StepNames.TARGETS -> (text, words, found) -> {}; // Twins decide, not the text alone.
      case StepNames.TOPIC -> topic(step, model(step, TextClassifier.class));
      case StepNames.PERPLEXITY -> perplexity(step, model(step, PerplexityModel.class));
      case StepNames.CLUSTER -> cluster(step, model(step, ClusterModel.class));
      case StepNames.BASIS -> basis(step, basisModel(step).topics());
      default ->
          throw new BadInputException(
              "step must be one of " + StepNames.ALL + ": '" + step.getName() + "'");
    };
  }

  /**
   * Opens the model of a step.
   *
   * @throws BadInputException if it is not the one that was specified
   */
  static <T> T model(RefineStep step, Class<T> type) {
    ModelDirectory model = ModelDirectory.open(Path.of(step.getModel()), ModelDirectory.LARGEST);
    if (!model.hash().equals(step.getModelHash())) {
      throw new BadInputException(
          "the model of step '"
              + step.getName()
              + "' in "
              + step.getModel()
              + " must have the hash "
              + step.getModelHash()
              + ": found "
              + model.hash());
    }
    return Models.of(model, type);
  }

  /**
   * The model of the step that draws basis topics.
   *
   * @throws BadInputException if it is not the one that was specified
   */
  public static BasisModel basisModel(RefineStep basis) {
    return model(basis, BasisModel.class);
  }

  private static DocumentStep benchmark(BenchmarkGrams grams) {
    return (text, words, found) ->
        grams.first(words).ifPresent(hit -> found.drop(StepNames.BENCHMARK, hit.benchmark()));
  }

  private static DocumentStep duplicates(SignatureScheme scheme) {
    return (text, words, found) -> found.signature(scheme.sign(text, words));
  }

  private static DocumentStep topic(RefineStep step, TextClassifier classifier) {
    return (text, words, found) -> {
      Classification told = classifier.classify(text);
      found.property(StepNames.TOPIC, told.label());
      found.property(
          StepNames.TOPIC + "-probability", String.format(Locale.ROOT, "%.4f", told.probability()));
      found.property(StepNames.TOPIC + MODEL, version(step));
    };
  }

  private static DocumentStep perplexity(RefineStep step, PerplexityModel model) {
    return (text, words, found) -> {
      OptionalDouble told = model.perplexity(text, words);
      found.property(
          StepNames.PERPLEXITY,
          told.isPresent() ? Double.toString(told.getAsDouble()) : StepSettings.NONE);
      found.property(StepNames.PERPLEXITY + MODEL, version(step));
    };
  }

  private static DocumentStep cluster(RefineStep step, ClusterModel model) {
    boolean flat = StepSettings.text(step, "assign").equals("flat");
    return (text, words, found) -> {
      float[] vector = new float[model.tree().dimension()];
      model.embedder().embed(text, vector);
      int leaf = flat ? model.tree().nearest(vector) : model.tree().descend(vector);
      found.property(StepNames.CLUSTER, name(leaf));
      found.property(StepNames.CLUSTER + MODEL, version(step));
    };
  }

  private static DocumentStep basis(RefineStep step, BasisTopics topics) {
    return (text, words, found) -> {
      int cluster = Integer.parseInt(found.said(StepNames.CLUSTER));
      found.copies(topics.copies(cluster, Hashing.komihash5_0().hashCharsToLong(text)));
      found.property(StepNames.BASIS + MODEL, version(step));
    };
  }

  private static String version(RefineStep step) {
    return step.getModelHash().substring(0, HASH_DIGITS);
  }
}
