package io.sluice.refine.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class TextFeaturesTest {
  private final TextFeatures features = new TextFeatures(1 << 18, 100);

  @Test
  void vectorsHaveLengthOneAndEachBucketOnce() {
    FeatureVector vector = features.of("to be or not to be, that is the question");
    double squares = 0;
    for (int i = 0; i < vector.size(); i++) {
      squares += vector.value(i) * vector.value(i);
    }

    assertThat(squares).isCloseTo(1, within(1e-5));
    assertThat(values(features.of("to be or not to be")))
        .hasSize(features.of("to be or not to be").size());
  }

  @Test
  void wordsCountWhateverTheirCaseAndTriplesNot() {
    // Words a, b; the pair a b; triples ' a ', 'a b', ' b '.
    assertThat(features.of("a b").size()).isEqualTo(6);
    Map<Integer, Float> lower = values(features.of("a b"));
    Map<Integer, Float> upper = values(features.of("A B"));
    upper.keySet().retainAll(lower.keySet());
    assertThat(upper).hasSize(3);
    assertThat(values(features.of("a\n\t  b"))).isEqualTo(lower);
    assertThat(values(features.of("a-b"))).isNotEqualTo(lower);
  }

  @Test
  void countsByTheirLogarithm() {
    Map<Integer, Float> vector = values(features.of("a " + "b ".repeat(7)));
    float rare = vector.get(bucketOfWord("a"));

    assertThat(vector.get(bucketOfWord("b")) / rare)
        .isCloseTo((float) (1 + Math.log(7)), within(1e-4f));
  }

  @Test
  void looksAtTheStartOfATextAlone() {
    String head = "数据 ".repeat(33) + "x";

    assertThat(values(features.of(head + " and more"))).isEqualTo(values(features.of(head)));
    assertThat(features.head("a".repeat(99) + "\ud83d\ude00")).hasSize(99);
    assertThat(features.head("a".repeat(98) + "\ud83d\ude00!")).hasSize(100);
  }

  @Test
  void textsWithoutWordsHaveNone() {
    assertThat(features.of("").size()).isZero();
    assertThat(features.of(" -- { } \ud800").size()).isZero();
  }

  private int bucketOfWord(String word) {
    // The first thing of a text that is counted is its first word.
    return features.of(word).bucket(0);
  }

  private static Map<Integer, Float> values(FeatureVector vector) {
    Map<Integer, Float> values = new TreeMap<>();
    for (int i = 0; i < vector.size(); i++) {
      values.put(vector.bucket(i), vector.value(i));
    }
    return values;
  }
}
