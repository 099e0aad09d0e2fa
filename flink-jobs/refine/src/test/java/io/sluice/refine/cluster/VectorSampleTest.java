package io.sluice.refine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class VectorSampleTest {
  @Test
  void isTheSameInWhateverOrderTextsCome() {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      numbers.add(i);
    }
    float[][] first = sample(numbers, 1);
    Collections.shuffle(numbers, new Random(4));

    assertThat(sample(numbers, 1)).isDeepEqualTo(first).hasDimensions(50, 1);
    assertThat(sample(numbers, 2)).isNotEqualTo(first);
  }

  private static float[][] sample(List<Integer> numbers, long seed) {
    VectorSample sample = new VectorSample(50, seed);
    for (int number : numbers) {
      sample.add(sample.hash("text " + number), new float[] {number});
    }
    assertThat(sample.size()).isEqualTo(50);
    return sample.vectors();
  }

  @Test
  void keepsAllThatFit() {
    VectorSample sample = new VectorSample(3, 1);
    sample.add(7, new float[] {1});
    sample.add(-7, new float[] {2});

    assertThat(sample.vectors()).isDeepEqualTo(new float[][] {{2}, {1}});
    assertThat(sample.wants(Long.MAX_VALUE)).isTrue();
    sample.add(8, new float[] {3});
    assertThat(sample.wants(8)).isFalse();
    assertThatThrownBy(() -> new VectorSample(0, 1))
        .hasMessage("a sample must have at least 1 vector: found 0");
  }
}
