package io.sluice.refine.basis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.cluster.ClusterTree;
import io.sluice.refine.cluster.Hierarchy;
import io.sluice.refine.cluster.Histogram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BasisModelTest {
  private static final String CLUSTERS = "cd".repeat(32);
  private static final Resampling RESAMPLING = new Resampling(0.5, 4, Long.MIN_VALUE);

  private final Histogram pool = Histogram.of(CLUSTERS, Map.of(0, 30L, 1, 50L, 7, 20L));

  @TempDir private Path folder;

  @Test
  void whatIsReadDrawsAsWhatWasWritten() {
    Path directory = folder.resolve("model");
    BasisModel written = BasisModel.write(directory, pool, basis("law", 1L, "art", 3L), RESAMPLING);

    BasisModel read = BasisModel.open(directory);

    assertThat(read.hash()).isEqualTo(written.hash()).hasSize(64);
    assertThat(read.clusters()).isEqualTo(CLUSTERS);
    assertThat(read.names()).containsExactly("art", "law");
    assertThat(read.resampling()).isEqualTo(RESAMPLING);
    for (int topic = 0; topic < 2; topic++) {
      assertThat(read.topics().outlook(topic)).isEqualTo(written.topics().outlook(topic));
    }
    for (long document = 0; document < 200; document++) {
      assertThat(read.topics().copies(7, document)).isEqualTo(written.topics().copies(7, document));
    }
  }

  @Test
  void anythingElseIsAnotherModel() {
    String hash = BasisModel.write(folder.resolve("a"), pool, basis("a", 1L), RESAMPLING).hash();

    assertThat(BasisModel.write(folder.resolve("b"), pool, basis("a", 2L), RESAMPLING).hash())
        .isNotEqualTo(hash);
    assertThat(
            BasisModel.write(folder.resolve("c"), pool, basis("a", 1L), new Resampling(0.5, 4, 2))
                .hash())
        .isNotEqualTo(hash);
  }

  @Test
  void whatIsNoModelIsRefused() throws IOException {
    refused("topics must be called 1 to 63 letters", basis("a/b", 1L), RESAMPLING);
    refused("must be at most 4096: found 5 and 1000", five(), new Resampling(1, 1000, 1));
    Path directory = folder.resolve("spoilt");
    BasisModel.write(directory, pool, basis("art", 1L), RESAMPLING);
    Path model = directory.resolve("model.json");
    String told = Files.readString(model);
    spoilt(model, told.replace("\"scale\" : 0.5", "\"scale\" : \"x\""), "found NaN");
    spoilt(model, told.replace("-9223372036854775808", "1e3"), "seed must be a whole number");
    spoilt(model, told.replace("[ \"art\" ]", "[ \"law\" ]"), "topic-law.json is missing");
    spoilt(model, told.replace("\"art\"", ""), "basis topics must be at least 1");
    spoilt(model, told.replace(CLUSTERS, "ef".repeat(32)), "clusters must be those of pool.json");
    Files.writeString(model, told);
    Files.writeString(directory.resolve("topic-art.json"), "{\"clusters\": 1}");
    assertThatThrownBy(() -> BasisModel.open(directory))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("the histogram topic-art.json cannot be used");
  }

  @Test
  void genericTopicsAreThePoolWithinNeighbouringClusters() {
    ClusterTree tree = Hierarchy.fit(corners(), 4, 2, 1, level -> {}).tree();
    assertThat(tree.leaves()).hasSize(16);
    Map<Integer, Long> counts = new TreeMap<>();
    for (int leaf : tree.leaves()) {
      counts.put(leaf, 1L + leaf);
    }
    Histogram all = Histogram.of(CLUSTERS, counts);

    SortedMap<String, Histogram> topics = GenericTopics.of(tree, all, 4, 1);

    assertThat(topics).hasSize(4);
    topics.forEach(
        (name, topic) -> {
          assertThat(topic.weights().keySet().stream().map(leaf -> tree.above(leaf, 1)).distinct())
              .as("leaves of one corner: %s", topic)
              .hasSize(1);
          double share = topic.weights().keySet().stream().mapToDouble(all::weight).sum();
          topic
              .weights()
              .forEach(
                  (leaf, weight) ->
                      assertThat(weight * share).isCloseTo(all.weight(leaf), within(1e-12)));
        });
    assertThatThrownBy(() -> GenericTopics.of(tree, all, 17, 1))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("from 1 to 16, the clusters of the lowest level: found 17");
  }

  /** Four corners of a square, of four groups of points each. */
  private static float[][] corners() {
    float[][] points = new float[16 * 8][];
    for (int i = 0; i < points.length; i++) {
      int corner = i % 4;
      int group = i / 4 % 4;
      points[i] =
          new float[] {
            100 * (corner & 1) + 4 * (group & 1) + i / 1000f, 100 * (corner >> 1) + 4 * (group >> 1)
          };
    }
    return points;
  }

  private void refused(String reason, SortedMap<String, Histogram> basis, Resampling resampling) {
    assertThatThrownBy(() -> BasisModel.write(folder.resolve("no"), pool, basis, resampling))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
    assertThat(folder.resolve("no")).doesNotExist();
  }

  private static void spoilt(Path model, String told, String reason) throws IOException {
    Files.writeString(model, told);
    assertThatThrownBy(() -> BasisModel.open(model.getParent()))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("cannot be used")
        .hasMessageContaining(reason);
  }

  private static SortedMap<String, Histogram> basis(Object... topics) {
    SortedMap<String, Histogram> basis = new TreeMap<>();
    for (int i = 0; i < topics.length; i += 2) {
      basis.put((String) topics[i], Histogram.of(CLUSTERS, Map.of(0, 5L, 7, (Long) topics[i + 1])));
    }
    return basis;
  }

  private static SortedMap<String, Histogram> five() {
    return basis("a", 1L, "b", 1L, "c", 1L, "d", 1L, "e", 1L);
  }
}
