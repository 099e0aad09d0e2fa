package io.sluice.refine.classify;

import io.sluice.control.error.BadInputException;
import java.util.List;

/** Measures a classifier with texts whose labels are known, one by one. */
public final class ClassifierCheck {
  private final TextClassifier classifier;
  private final int[][] confusion;

  /** No text yet. */
  public ClassifierCheck(TextClassifier classifier) {
    this.classifier = classifier;
    int labels = classifier.labels().size();
    this.confusion = new int[labels][labels];
  }

  /**
   * The number of a label of the classifier.
   *
   * @throws BadInputException if it has no such label
   */
  public int label(String name) {
    int label = classifier.labels().indexOf(name);
    if (label < 0) {
      List<String> labels = classifier.labels();
      throw new BadInputException("label must be one of " + labels + ": '" + name + "'");
    }
    return label;
  }

  /** Classifies one more text. */
  public void add(String label, String text) {
    add(label(label), classifier.classify(text));
  }

  /** One more text, by what was told of it. */
  void add(int label, Classification found) {
    confusion[label][classifier.labels().indexOf(found.label())]++;
  }

  /** What has been measured so far. */
  public Evaluation evaluation() {
    return Evaluation.of(classifier.labels(), confusion);
  }
}
