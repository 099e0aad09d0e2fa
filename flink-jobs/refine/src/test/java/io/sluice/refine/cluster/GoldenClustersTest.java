package io.sluice.refine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The golden vectors of importance sampling, in single precision. */
final class GoldenClustersTest {
  private final JsonNode golden = golden();

  @Test
  void centresAreMeans() {
    JsonNode flat = golden.get("flat");
    for (int i = 0; i < flat.get("domains").size(); i++) {
      float[] centre = KMeans.fit(points(flat.get("domains").get(i)), 1, 0).centroids().centre(0);
      for (int d = 0; d < centre.length; d++) {
        double expected = flat.get("expected_centroids").get(i).get(d).doubleValue();
        assertThat((double) centre[d]).isCloseTo(expected, within(1e-6));
      }
    }
  }

  @Test
  void histogramIsOfTheNearestCentres() {
    JsonNode flat = golden.get("flat");
    ClusterTree tree = tree(8, Centroids.of(points(flat.get("expected_centroids"))));
    Map<Integer, Long> counts = new TreeMap<>();
    float[][] specific = points(flat.get("specific"));
    for (int i = 0; i < specific.length; i++) {
      int leaf = tree.descend(specific[i]);
      assertThat(leaf).isEqualTo(flat.get("expected_assignment").get(i).intValue());
      counts.merge(leaf, 1L, Long::sum);
    }
    Histogram histogram = Histogram.of("0".repeat(64), counts);
    for (int i = 0; i < flat.get("expected_alpha_is").size(); i++) {
      double expected = flat.get("expected_alpha_is").get(i).doubleValue();
      assertThat(histogram.weight(i)).isCloseTo(expected, within(1e-12));
    }
  }

  @Test
  void ofEquallyNearCentresTheFirstOneIsTaken() {
    JsonNode ties = golden.get("ties");
    ClusterTree tree = tree(8, Centroids.of(points(ties.get("centroids"))));
    float[][] points = points(ties.get("points"));
    for (int i = 0; i < points.length; i++) {
      int expected = ties.get("expected_assignment").get(i).intValue();
      assertThat(tree.descend(points[i])).isEqualTo(expected);
      assertThat(tree.nearest(points[i])).isEqualTo(expected);
    }
  }

  @Test
  void descentAndTheNearestLeafDifferNearBorders() {
    JsonNode hierarchy = golden.get("hierarchy");
    Centroids[] fine = new Centroids[4];
    for (int i = 0; i < fine.length; i++) {
      fine[i] = Centroids.of(points(hierarchy.get("fine").get(i)));
    }
    ClusterTree tree = tree(4, Centroids.of(points(hierarchy.get("coarse"))), fine);
    assertThat(hierarchy.get("points")).isNotEmpty();
    for (JsonNode point : hierarchy.get("points")) {
      float[] at = vector(point.get("point"));
      assertThat(tree.descend(at)).isEqualTo(point.get("descent_leaf").intValue());
      assertThat(tree.nearest(at)).isEqualTo(point.get("flat_leaf").intValue());
    }
  }

  private static ClusterTree tree(int branching, Centroids root, Centroids... fine) {
    return new ClusterTree(
        branching,
        fine.length == 0 ? new Centroids[][] {{root}} : new Centroids[][] {{root}, fine});
  }

  private static float[][] points(JsonNode rows) {
    float[][] points = new float[rows.size()][];
    for (int i = 0; i < points.length; i++) {
      points[i] = vector(rows.get(i));
    }
    return points;
  }

  private static float[] vector(JsonNode numbers) {
    float[] vector = new float[numbers.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = numbers.get(i).floatValue();
    }
    return vector;
  }

  private static JsonNode golden() {
    try {
      return new ObjectMapper()
          .readTree(
              Path.of("../mixture/src/test/resources/golden/importance_sampling.json").toFile());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
