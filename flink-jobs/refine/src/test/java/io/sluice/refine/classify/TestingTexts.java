package io.sluice.refine.classify;

import java.util.List;
import java.util.Random;

/** Texts of made-up labels: each label has words of its own, and all have common ones. */
final class TestingTexts {
  private TestingTexts() {}

  /** A text of some label, different for each number. */
  static String text(String label, int number) {
    Random random = new Random(label.hashCode() * 31L + number);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      text.append(random.nextInt(3) == 0 ? label : "word").append(random.nextInt(30)).append(' ');
    }
    return text.toString();
  }

  /** Training with so many texts of each label. */
  static ClassifierTraining training(TrainingSettings settings, int texts, String... labels) {
    ClassifierTraining training = new ClassifierTraining(settings, List.of(labels));
    for (String label : labels) {
      for (int i = 0; i < texts; i++) {
        training.add(label, text(label, i));
      }
    }
    return training;
  }

  /** Settings of a small model. */
  static TrainingSettings small(double heldOut) {
    return new TrainingSettings(1 << 12, 1000, 2, 5, heldOut, 1);
  }
}
