package io.sluice.refine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

final class HierarchyTest {
  private final float[][] points = Points.blobs(3000, 8, 64, 0.3, 11);

  @Test
  void clustersAreDividedAgain() {
    List<LevelSummary> told = new ArrayList<>();
    Hierarchy fit = Hierarchy.fit(points, 8, 3, 1, told::add);
    ClusterTree tree = fit.tree();

    assertThat(told).isEqualTo(fit.levels()).hasSize(3);
    assertThat(tree.clusters(1)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(tree.clusters(2)).hasSize(64);
    assertThat(tree.leaves()).isSorted().hasSizeGreaterThan(300).hasSizeLessThan(513);
    assertThat(told.get(1).inertia()).isLessThan(told.get(0).inertia());
    assertThat(told.get(2).inertia()).isLessThan(told.get(1).inertia());
    assertThat(told.get(2).clusters()).isEqualTo(tree.leaves().length);
    for (float[] point : points) {
      int leaf = tree.descend(point);
      assertThat(Arrays.binarySearch(tree.leaves(), leaf)).isNotNegative();
      assertThat(tree.above(leaf, 2)).isEqualTo(leaf / 8);
      assertThat(tree.above(leaf, 1)).isEqualTo(leaf / 64);
    }
  }

  @Test
  void vectorsOfTheFitFallToTheirOwnClusters() {
    Hierarchy fit = Hierarchy.fit(points, 8, 2, 1, level -> {});
    int[] counts = new int[64];
    for (float[] point : points) {
      counts[fit.tree().descend(point)]++;
    }
    Arrays.sort(counts);
    LevelSummary leaves = fit.levels().get(1);

    assertThat(leaves.smallest()).isEqualTo(counts[0]);
    assertThat(leaves.median()).isEqualTo(counts[31]);
    assertThat(leaves.largest()).isEqualTo(counts[63]);
  }

  @Test
  void isTheSameForAnyNumberOfThreads() throws Exception {
    List<float[]> alone = centres(1);

    assertThat(centres(4)).usingRecursiveComparison().isEqualTo(alone);
    assertThat(Hierarchy.fit(points, 8, 2, 2, level -> {}).levels())
        .isNotEqualTo(Hierarchy.fit(points, 8, 2, 1, level -> {}).levels());
  }

  private List<float[]> centres(int threads) throws Exception {
    ForkJoinPool pool = new ForkJoinPool(threads);
    try {
      ClusterTree tree =
          pool.submit(() -> Hierarchy.fit(points, 8, 2, 1, level -> {}).tree()).get();
      List<float[]> centres = new ArrayList<>();
      for (int level = 1; level <= 2; level++) {
        for (Centroids node : tree.nodes(level)) {
          for (int i = 0; i < node.size(); i++) {
            centres.add(node.centre(i));
          }
        }
      }
      return centres;
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void smallClustersHaveFewChildrenAndIdsAreLeftOut() {
    float[][] few = Points.blobs(40, 4, 4, 0.2, 5);
    ClusterTree tree = Hierarchy.fit(few, 64, 2, 1, level -> {}).tree();

    assertThat(tree.clusters(1)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(tree.leaves()).contains(0, 64, 128, 576).doesNotContain(63);
    ClusterTree single = Hierarchy.fit(new float[][] {{1, 2}}, 64, 3, 1, level -> {}).tree();
    assertThat(single.leaves()).containsExactly(0);
  }

  @Test
  void refusesVectorsThatAreNone() {
    ClusterTree tree = Hierarchy.fit(points, 4, 2, 1, level -> {}).tree();

    for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, -3e38f}) {
      float[] vector = points[0].clone();
      vector[7] = bad;
      assertThatThrownBy(() -> tree.descend(vector))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must have finite coordinates");
      assertThatThrownBy(() -> tree.nearest(vector)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Hierarchy.fit(new float[][] {vector}, 4, 2, 1, level -> {}))
          .isInstanceOf(BadInputException.class)
          .hasMessage("coordinates of vectors must be from -1e15 to 1e15: found " + bad);
    }
    assertThatThrownBy(() -> tree.descend(new float[7]))
        .hasMessage("a vector must have 8 coordinates: found 7");
    assertThatThrownBy(() -> Hierarchy.fit(new float[0][], 4, 2, 1, level -> {}))
        .hasMessage("clusters need at least 1 vector: found 0");
    assertThatThrownBy(() -> Hierarchy.fit(new float[][] {{1}, {1, 2}}, 4, 2, 1, level -> {}))
        .hasMessage("vectors must all have 1 coordinates: found 2");
  }

  @Test
  void refusesShapesThatAreTooLarge() {
    assertThatThrownBy(() -> Hierarchy.fit(points, 1, 2, 1, level -> {}))
        .hasMessage("branching must be a whole number from 2 to 1024: found 1");
    assertThatThrownBy(() -> Hierarchy.fit(points, 64, 4, 1, level -> {}))
        .hasMessage("levels must be a whole number from 1 to 3: found 4");
    assertThatThrownBy(() -> Hierarchy.fit(points, 128, 3, 1, level -> {}))
        .hasMessage("branching to the power of levels must be at most 1048576: found 128 and 3");
  }
}
