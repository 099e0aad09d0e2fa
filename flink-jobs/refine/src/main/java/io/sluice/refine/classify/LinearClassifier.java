package io.sluice.refine.classify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A classifier of texts by their n-grams: multinomial logistic regression over hashed words, pairs
 * of words and triples of characters. It is what labels documents where there is no neural model.
 * Immutable; may be used by several threads.
 *
 * <p>As a {@link ModelDirectory} of kind {@value #KIND}, version {@value #VERSION}, it has the
 * parameters {@code labels}, {@code texts} (of each label, that it was trained with), {@code
 * buckets} and {@code characters}, and {@value #WEIGHTS}: float32, little-endian, [buckets,
 * labels].
 */
public final class LinearClassifier implements TextClassifier {
  /** The kind of model. */
  public static final String KIND = "linear-classifier";

  static final int VERSION = 1;
  static final String WEIGHTS = "weights.bin";

  /** Of all buckets and labels together: 256 MiB. */
  static final int MOST_WEIGHTS = 1 << 26;

  private final List<String> labels;
  private final List<Integer> texts;
  private final TextFeatures features;
  private final float[] weights;

  LinearClassifier(
      List<String> labels, List<Integer> texts, TextFeatures features, float[] weights) {
    this.labels = List.copyOf(labels);
    this.texts = List.copyOf(texts);
    this.features = features;
    this.weights = weights;
  }

  /**
   * The classifier of a directory that has been read.
   *
   * @throws BadInputException if it is not as described
   */
  public static LinearClassifier of(ModelDirectory model) {
    model.number("version", VERSION, VERSION);
    int buckets = model.number("buckets", TextFeatures.FEWEST_BUCKETS, TextFeatures.MOST_BUCKETS);
    int characters =
        model.number("characters", TextFeatures.FEWEST_CHARACTERS, TextFeatures.MOST_CHARACTERS);
    if (Integer.bitCount(buckets) != 1) {
      throw model.refused("buckets must be a power of two: found " + buckets);
    }
    List<String> labels = Labels.of(model);
    List<Integer> texts = texts(model, labels.size());
    if ((long) buckets * labels.size() > MOST_WEIGHTS) {
      throw model.refused(tooLarge(buckets, labels.size()));
    }
    float[] weights = new float[buckets * labels.size()];
    byte[] file = model.file(WEIGHTS, 4L * weights.length);
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(weights);
    for (int i = 0; i < weights.length; i++) {
      // Products and sums of what is larger would not be finite.
      if (!(Math.abs(weights[i]) <= 1e6f)) {
        throw model.refused(
            WEIGHTS + " must have numbers from -1e6 to 1e6: number " + i + " is " + weights[i]);
      }
    }
    return new LinearClassifier(labels, texts, new TextFeatures(buckets, characters), weights);
  }

  /**
   * Writes it into a directory that is not there yet.
   *
   * @throws BadInputException if something is there, or it cannot be written
   */
  public ModelDirectory write(Path directory) {
    ObjectNode parameters = ModelDirectory.parameters().put("version", VERSION);
    labels.forEach(parameters.putArray(Labels.KEY)::add);
    texts.forEach(parameters.putArray("texts")::add);
    parameters.put("buckets", features.buckets()).put("characters", features.characters());
    ByteBuffer bytes = ByteBuffer.allocate(4 * weights.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(weights);
    return ModelDirectory.write(directory, KIND, parameters, Map.of(WEIGHTS, bytes.array()));
  }

  @Override
  public List<String> labels() {
    return labels;
  }

  @Override
  public List<Integer> texts() {
    return texts;
  }

  @Override
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%d labels x %d buckets, of a text's first %d characters",
        labels.size(),
        features.buckets(),
        features.characters());
  }

  /**
   * The label of a text, by its first characters. Of a text without any n-gram that was learned
   * from nothing can be told: its probabilities are the labels' shares of the texts that the
   * classifier was trained with.
   */
  @Override
  public Classification classify(String text) {
    return classify(features.of(text));
  }

  Classification classify(FeatureVector text) {
    double[] probabilities = new double[labels.size()];
    if (!Softmax.probabilities(weights, text, probabilities)) {
      double all = texts.stream().mapToLong(Integer::longValue).sum();
      Arrays.setAll(probabilities, label -> texts.get(label) / all);
    }
    return Classification.of(labels, probabilities);
  }

  static String tooLarge(int buckets, int labels) {
    return "buckets x labels must be at most "
        + MOST_WEIGHTS
        + ": found "
        + buckets
        + " x "
        + labels;
  }

  private static List<Integer> texts(ModelDirectory model, int labels) {
    JsonNode listed = model.parameter("texts");
    List<Integer> texts = new ArrayList<>();
    for (JsonNode count : listed) {
      if (!count.isInt() || count.intValue() < 1) {
        throw model.refused("texts must be whole numbers above 0: found " + count);
      }
      texts.add(count.intValue());
    }
    if (!listed.isArray() || texts.size() != labels) {
      throw model.refused("texts must be a list of " + labels + " numbers, one for each label");
    }
    return texts;
  }
}
