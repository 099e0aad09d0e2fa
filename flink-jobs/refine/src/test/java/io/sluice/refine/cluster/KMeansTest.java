package io.sluice.refine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KMeansTest {
  /**
   * The expected inertia is the mean of {@code KMeans(clusters, n_init=1, random_state=s)} of
   * scikit-learn 1.9.1 for s from 0 to 19, on the same vectors.
   */
  @ParameterizedTest
  @CsvSource({"0.5, 32, 3084.68", "1.5, 64, 17928.80"})
  void inertiaIsThatOfScikitLearn(double spread, int clusters, double expected) {
    float[][] points = Points.blobs(4000, 16, 40, spread, 7);

    double mean =
        LongStream.range(0, 3)
            .mapToDouble(seed -> KMeans.fit(points, clusters, seed).inertia())
            .average()
            .orElseThrow();

    assertThat(mean).isCloseTo(expected, within(0.02 * expected));
  }

  @Test
  void findsClustersThatAreFarApart() {
    float[][] points = Points.blobs(500, 8, 5, 0.01, 3);

    KMeans fit = KMeans.fit(points, 5, 1);

    assertThat(fit.centroids().size()).isEqualTo(5);
    assertThat(fit.inertia()).isLessThan(500 * 8 * 0.01 * 0.01);
    assertThat(Arrays.stream(fit.sizes()).sum()).isEqualTo(500);
  }

  @Test
  void hasNoMoreClustersThanDifferentPoints() {
    float[][] points = new float[90][];
    Arrays.setAll(points, i -> new float[] {i % 3, 0});

    KMeans fit = KMeans.fit(points, 8, 1);

    assertThat(fit.centroids().size()).isEqualTo(3);
    assertThat(fit.sizes()).containsExactly(30, 30, 30);
    assertThat(fit.inertia()).isZero();
    assertThat(KMeans.fit(new float[][] {{4, 2}}, 8, 1).centroids().centre(0))
        .containsExactly(4, 2);
  }

  @Test
  void leavesNoClusterEmpty() {
    for (long seed = 0; seed < 50; seed++) {
      float[][] points = Points.blobs(60, 2, 7, 0.4, seed);

      int[] sizes = KMeans.fit(points, 20, seed).sizes();

      assertThat(sizes).hasSize(20);
      assertThat(Arrays.stream(sizes).min().orElseThrow()).isPositive();
    }
  }
}
