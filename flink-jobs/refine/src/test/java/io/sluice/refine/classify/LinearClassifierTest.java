package io.sluice.refine.classify;

import static io.sluice.refine.classify.TestingTexts.small;
import static io.sluice.refine.classify.TestingTexts.text;
import static io.sluice.refine.classify.TestingTexts.training;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinearClassifierTest {
  @TempDir private Path folder;

  @Test
  void saysTheSameAfterItWasWritten() {
    LinearClassifier trained = training(small(0), 20, "law", "code").train().classifier();
    ModelDirectory written = trained.write(folder.resolve("m"));
    LinearClassifier read = opened(folder.resolve("m"));

    Classification law = read.classify(text("law", 99));
    assertThat(law).isEqualTo(trained.classify(text("law", 99)));
    assertThat(law.label()).isEqualTo("law");
    assertThat(law.probabilities().get(1)).isEqualTo(law.probability()).isGreaterThan(.5);
    assertThat(law.probabilities().get(0) + law.probability()).isCloseTo(1, within(1e-12));
    assertThat(read.labels()).containsExactly("code", "law");
    assertThat(read.texts()).containsExactly(20, 20);
    assertThat(read.summary()).endsWith(" x 4096 buckets, of a text's first 1000 characters");
    assertThat(written.kind()).isEqualTo("linear-classifier");
  }

  @Test
  void aTextThatNothingIsKnownOfHasTheLabelsShares() {
    ClassifierTraining training = training(small(0), 10, "code", "law");
    for (int i = 10; i < 30; i++) {
      training.add("law", text("law", i));
    }
    LinearClassifier classifier = training.train().classifier();

    assertThat(classifier.classify("")).isEqualTo(classifier.classify("?! ..."));
    assertThat(classifier.classify("").label()).isEqualTo("law");
    assertThat(classifier.classify("").probabilities()).containsExactly(.25, .75);
  }

  /** A model of version 1, as it was first written, and what it says. */
  @Test
  void readsModelsOfEarlierReleases() {
    LinearClassifier model = opened(Path.of("src/test/resources/linear-classifier-1"));

    assertThat(model.labels()).containsExactly("code", "law");
    Classification code = model.classify("if (x) { return y; }");
    assertThat(code.label()).isEqualTo("code");
    assertThat(code.probability()).isCloseTo(.977901951604, within(1e-9));
    assertThat(model.classify("The court may dismiss the appeal.").label()).isEqualTo("law");
  }

  @Test
  void refusesWhatIsNoClassifier() throws IOException {
    assertRefused("{}", 0, "version must be a whole number from 1 to 1: found");
    String head = "{'version': 1, 'buckets': %s, 'characters': 100, 'labels': %s, 'texts': %s}";
    assertRefused(head.formatted(512, "[]", "[]"), 0, "buckets must be a whole number from 1024");
    assertRefused(head.formatted(1025, "[]", "[]"), 0, "buckets must be a power of two");
    assertRefused(head.formatted(1024, "['a']", "[1]"), 0, "a list of 2 to 256 names");
    assertRefused(head.formatted(1024, "{'a': 'a', 'b': 'b'}", "[1]"), 0, "a list of 2 to 256");
    assertRefused(head.formatted(1024, "['a', 'b/c']", "[1]"), 0, "labels must be names of");
    assertRefused(head.formatted(1024, "['a', 'a']", "[1, 1]"), 0, "labels must be different");
    assertRefused(head.formatted(1024, "['a', 'b']", "[1]"), 0, "texts must be a list of 2");
    assertRefused(head.formatted(1024, "['a', 'b']", "[1, 0]"), 0, "texts must be whole numbers");
    String good = head.formatted(1024, "['a', 'b']", "[1, 2]");
    assertRefused(good, 2047, "weights.bin must have 8192 bytes: found 8188");
    assertRefused(good, 2048, "weights.bin must have numbers from -1e6 to 1e6: number 7 is NaN");
  }

  private void assertRefused(String parameters, int weights, String reason) throws IOException {
    Path model = folder.resolve("refused");
    ByteBuffer bytes = ByteBuffer.allocate(4 * weights).order(ByteOrder.LITTLE_ENDIAN);
    if (weights > 7) {
      bytes.putFloat(28, Float.NaN);
    }
    ModelDirectory.write(
        model,
        LinearClassifier.KIND,
        ModelDirectory.parameters(),
        Map.of(LinearClassifier.WEIGHTS, bytes.array()));
    Files.writeString(
        model.resolve("model.json"),
        parameters
            .replace('\'', '"')
            .replaceFirst("\\{", "{\"kind\": \"linear-classifier\", ")
            .replace(", }", "}"));
    assertThatThrownBy(() -> opened(model))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
    try (var files = Files.list(model)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  private static LinearClassifier opened(Path directory) {
    return LinearClassifier.of(
        ModelDirectory.open(directory, LinearClassifier.KIND, ModelDirectory.LARGEST));
  }
}
