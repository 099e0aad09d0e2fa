package io.sluice.refine.classify;

import static io.sluice.refine.classify.TestingTexts.small;
import static io.sluice.refine.classify.TestingTexts.text;
import static io.sluice.refine.classify.TestingTexts.training;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassifierTrainingTest {
  @TempDir private Path folder;

  @Test
  void tellsTextsThatItHasNotLearnedFrom() {
    TrainedClassifier trained = training(small(.2), 50, "law", "code", "news").train();

    Evaluation heldOut = trained.heldOut().orElseThrow();
    assertThat(heldOut.texts()).isEqualTo(30);
    assertThat(heldOut.macroF1()).isGreaterThan(.95);
    assertThat(trained.classifier().labels()).containsExactly("code", "law", "news");
    assertThat(trained.classifier().texts()).containsExactly(40, 40, 40);
    assertThat(trained.classifier().classify(text("law", 999)).label()).isEqualTo("law");
    assertThat(trained.sampled()).isEmpty();
  }

  @Test
  void rareLabelsAreToldToo() {
    ClassifierTraining training = new ClassifierTraining(small(0), List.of("often", "rare"));
    IntStream.range(0, 300).forEach(i -> training.add("often", text("often", i)));
    IntStream.range(0, 10).forEach(i -> training.add("rare", text("rare", i)));
    TrainedClassifier trained = training.train();

    assertThat(trained.heldOut()).isEmpty();
    ClassifierCheck check = new ClassifierCheck(trained.classifier());
    for (int i = 1000; i < 1100; i++) {
      check.add("often", text("often", i));
      check.add("rare", text("rare", i));
    }
    assertThat(check.evaluation().labels())
        .allSatisfy(score -> assertThat(score.recall()).isGreaterThan(.9));
  }

  @Test
  void orderOfTextsAndCopiesOfThemMakeNoDifference() {
    ClassifierTraining backwards = new ClassifierTraining(small(.1), List.of("b", "a"));
    for (int i = 59; i >= 0; i--) {
      backwards.add("b", text("b", i % 30));
      backwards.add("a", text("a", i % 30));
    }

    String hash = hash("forwards", training(small(.1), 30, "a", "b"));
    assertThat(hash("backwards", backwards)).isEqualTo(hash);
    assertThat(hash("seed", training(small(.1).with(5, .1, 2), 30, "a", "b"))).isNotEqualTo(hash);
    assertThat(hash("more", training(small(.1), 31, "a", "b"))).isNotEqualTo(hash);
  }

  @Test
  void whatIsHeldOutIsLearnedFromUnderNoLabel() {
    ClassifierTraining training = training(small(.5), 20, "a", "b");
    IntStream.range(0, 20).forEach(i -> training.add("b", text("a", i)));
    TrainedClassifier trained = training.train();

    // Of b's 40 texts, half are held out, and all that a holds out.
    int copies = 40 - trained.classifier().texts().get(1);
    assertThat(trained.classifier().texts().get(0)).isLessThanOrEqualTo(10);
    assertThat(copies).isGreaterThanOrEqualTo(20);
    assertThat(trained.heldOut().orElseThrow().texts())
        .isEqualTo(20 - trained.classifier().texts().get(0) + copies);
  }

  @Test
  void keepsASampleOfMoreThanThereIsRoomFor() {
    List<String> labels = List.of("a", "b");
    ClassifierTraining forwards = new ClassifierTraining(small(0), labels, 10_000);
    ClassifierTraining backwards = new ClassifierTraining(small(0), labels, 10_000);
    for (int i = 0; i < 200; i++) {
      forwards.add("a", text("a", i));
      backwards.add("a", text("a", 199 - i));
    }
    for (int i = 0; i < 10; i++) {
      forwards.add("b", text("b", i));
      backwards.add("b", text("b", i));
    }
    TrainedClassifier trained = forwards.train();

    assertThat(trained.sampled()).containsExactly("a");
    assertThat(trained.classifier().texts().get(0)).isBetween(10, 60);
    assertThat(trained.classifier().texts().get(1)).isEqualTo(10);
    assertThat(backwards.train().classifier().write(folder.resolve("backwards")).hash())
        .isEqualTo(trained.classifier().write(folder.resolve("forwards")).hash());
  }

  @Test
  void refusesWhatItCannotLearnFrom() {
    assertRefused(() -> training(small(0), 20, "a"), "there must be 2 to 256 labels: found [a]");
    assertRefused(() -> training(small(0), 20, "a", "b.c"), "a letter or digit: 'b.c'");
    assertRefused(() -> training(small(0), 9, "a", "b").train(), "different texts: 'a' has 9");
    assertRefused(() -> training(small(0), 1, "a", "b").add("c", ""), "must be one of [a, b]: 'c'");
    String[] many = IntStream.range(0, 256).mapToObj(i -> "l" + i).toArray(String[]::new);
    assertRefused(
        () -> training(new TrainingSettings(1 << 20, 1000, 2, 1, 0, 1), 1, many),
        "buckets x labels must be at most 67108864: found 1048576 x 256");
    ClassifierTraining empty = training(small(0), 9, "a", "b");
    IntStream.range(0, 20).forEach(i -> empty.add("a", "-".repeat(i)));
    assertRefused(empty::train, "'a' has 9");
  }

  @Test
  void refusesSettingsOutOfRange() {
    assertRefused(() -> small(.6), "held-out must be a share from 0 to 0.5: 0.6");
    assertRefused(() -> small(Double.NaN), "held-out must be a share from 0 to 0.5: NaN");
    assertRefused(() -> small(0).with(0, 0, 1), "epochs must be from 1 to 1000: 0");
    assertRefused(
        () -> new TrainingSettings(3000, 1000, 2, 1, 0, 1), "a power of two, 2^10 to 2^20: 3000");
    assertRefused(() -> new TrainingSettings(1024, 99, 2, 1, 0, 1), "characters must be from 100");
    assertRefused(() -> new TrainingSettings(1024, 100, 0, 1, 0, 1), "rarest must be from 1");
  }

  private String hash(String name, ClassifierTraining training) {
    return training.train().classifier().write(folder.resolve(name)).hash();
  }

  private static void assertRefused(Runnable training, String reason) {
    assertThatThrownBy(training::run)
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }
}
