package io.sluice.refine.classify;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Trains a {@link LinearClassifier} from labelled texts (Llama-3-SynE, section 4.1.1).
 *
 * <p>What is kept of a text is its vector, 8 bytes for each of its n-grams. All labels together
 * have room for {@value #ROOM} n-grams, each for its share; of a label with more, a sample stays,
 * by hashes of the texts. The model depends on the texts and the seed, not on the order in which
 * texts come: the same texts give the same bytes.
 *
 * <p>A text that is held out is learned from under no label, even if it came with several.
 */
public final class ClassifierTraining {
  /** How many different texts of each label there must be. */
  public static final int FEWEST_TEXTS = 10;

  /** N-grams of all texts together: half a gigabyte. */
  static final long ROOM = 1L << 26;

  private final TrainingSettings settings;
  private final TextFeatures features;
  private final TreeMap<String, LabelledTexts> texts = new TreeMap<>();

  /**
   * Without texts yet.
   *
   * @param labels 2 to {@value Labels#MOST} names, which can be parts of domains'
   * @throws BadInputException if they are not
   */
  public ClassifierTraining(TrainingSettings settings, Collection<String> labels) {
    this(settings, labels, ROOM);
  }

  ClassifierTraining(TrainingSettings settings, Collection<String> labels, long room) {
    Set<String> names = new TreeSet<>(labels);
    if (names.size() < 2 || names.size() > Labels.MOST) {
      throw new BadInputException("there must be 2 to " + Labels.MOST + " labels: found " + names);
    }
    if ((long) settings.buckets() * names.size() > LinearClassifier.MOST_WEIGHTS) {
      throw new BadInputException(LinearClassifier.tooLarge(settings.buckets(), names.size()));
    }
    this.settings = settings;
    this.features = new TextFeatures(settings.buckets(), settings.characters());
    for (String name : names) {
      if (!Topics.NAME.matcher(name).matches()) {
        throw new BadInputException(
            "label must be 1 to 63 letters, digits, '_' or '-', starting with a letter or digit: '"
                + name
                + "'");
      }
      texts.put(name, new LabelledTexts(room / names.size(), settings.seed()));
    }
  }

  /**
   * One more text; without a word, or if it came before with this label, it makes no difference.
   *
   * @throws BadInputException if the label is none of those named at first
   */
  public void add(String label, String text) {
    LabelledTexts labelled = texts.get(label);
    if (labelled == null) {
      throw new BadInputException("label must be one of " + texts.keySet() + ": '" + label + "'");
    }
    labelled.add(text, features);
  }

  /**
   * Learns from the texts so far, and measures with those that are held out.
   *
   * @throws BadInputException if a label has fewer than {@value #FEWEST_TEXTS} texts, or none but
   *     such as are held out
   */
  public TrainedClassifier train() {
    texts.forEach(ClassifierTraining::requireEnough);
    Set<Long> heldOut = new HashSet<>();
    texts.values().forEach(label -> heldOut.addAll(label.heldOut(settings.heldOut())));
    List<FeatureVector> vectors = new ArrayList<>();
    List<Integer> truth = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    for (Map.Entry<String, LabelledTexts> label : texts.entrySet()) {
      List<FeatureVector> learned = label.getValue().vectors(hash -> !heldOut.contains(hash));
      if (learned.isEmpty()) {
        throw new BadInputException(
            "no text of '" + label.getKey() + "' is left to learn from: others have the same ones");
      }
      vectors.addAll(learned);
      truth.addAll(Collections.nCopies(learned.size(), counts.size()));
      counts.add(learned.size());
    }
    float[] weights =
        new Learning(settings, counts.size(), vectors)
            .learn(truth.stream().mapToInt(Integer::intValue).toArray());
    LinearClassifier classifier =
        new LinearClassifier(List.copyOf(texts.keySet()), counts, features, weights);
    return new TrainedClassifier(classifier, measured(classifier, heldOut), sampled());
  }

  private Optional<Evaluation> measured(LinearClassifier classifier, Set<Long> heldOut) {
    if (heldOut.isEmpty()) {
      return Optional.empty();
    }
    ClassifierCheck check = new ClassifierCheck(classifier);
    texts.forEach(
        (name, label) ->
            label
                .vectors(heldOut::contains)
                .forEach(text -> check.add(check.label(name), classifier.classify(text))));
    return Optional.of(check.evaluation());
  }

  private List<String> sampled() {
    return texts.entrySet().stream()
        .filter(label -> label.getValue().size() < label.getValue().seen())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static void requireEnough(String name, LabelledTexts label) {
    if (label.size() < FEWEST_TEXTS) {
      throw new BadInputException(
          "a label must have at least "
              + FEWEST_TEXTS
              + " different texts: '"
              + name
              + "' has "
              + label.size());
    }
  }
}
