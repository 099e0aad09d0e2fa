package io.sluice.lab.reproduce.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.lab.reproduce.corpus.Passage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ClustersTest {
  private static final int TOPICS = 4;
  private static final List<Passage> DOCUMENTS = documents("pool", 30);
  private static final Clusters CLUSTERS = Clusters.of(DOCUMENTS, 4, 2, 1);

  @Test
  void everyDocumentIsInOneCluster() {
    for (int level = 1; level <= 2; level++) {
      SortedMap<Integer, List<Passage>> clusters = CLUSTERS.at(level);
      assertThat(clusters.values().stream().flatMap(List::stream).toList())
          .containsExactlyInAnyOrderElementsOf(DOCUMENTS);
      assertThat(sum(CLUSTERS.natural(level))).isCloseTo(1, within(1e-12));
    }
    assertThat(CLUSTERS.at(2)).hasSizeGreaterThan(CLUSTERS.at(1).size());
  }

  @Test
  void aHistogramHasTheClustersOfItsDocumentsAlone() {
    List<Passage> of = documents("set", 3).stream().filter(each -> topic(each) == 2).toList();
    SortedMap<Integer, Double> histogram = CLUSTERS.histogram(of, 1);
    assertThat(histogram).hasSize(1);
    assertThat(sum(histogram)).isCloseTo(1, within(1e-12));
    assertThat(CLUSTERS.at(1).get(histogram.firstKey()))
        .allSatisfy(document -> assertThat(topic(document)).isEqualTo(2));
  }

  @Test
  void documentsAreDrawnInTheSharesOfAHistogram() {
    Map<Integer, Double> shares = new HashMap<>();
    List<Integer> clusters = List.copyOf(CLUSTERS.at(1).keySet());
    shares.put(clusters.get(0), .75);
    shares.put(clusters.get(1), .25);
    List<Passage> drawn = CLUSTERS.drawn(shares, 1, 400_000, new Random(5));
    assertThat(bytes(drawn)).isBetween(400_000, 402_000);
    double first =
        drawn.stream()
            .filter(each -> isOf(CLUSTERS.at(1).get(clusters.get(0)), each))
            .mapToInt(each -> 1)
            .sum();
    assertThat(first / drawn.size()).isCloseTo(.75, within(.05));
  }

  @Test
  void aDocumentComesAgainOnlyWhenItsClusterIsThrough() {
    SortedMap<Integer, List<Passage>> clusters = CLUSTERS.at(1);
    Map<Integer, Double> one = Map.of(clusters.firstKey(), 1.0);
    int size = clusters.get(clusters.firstKey()).size();
    List<Passage> drawn = CLUSTERS.drawn(one, 1, 60_000, new Random(5));
    assertThat(drawn).hasSizeGreaterThan(size).doesNotHaveDuplicates();
    assertThat(drawn.subList(0, size))
        .containsExactlyInAnyOrderElementsOf(clusters.get(clusters.firstKey()));
    assertThat(drawn.get(size).id()).isEqualTo(drawn.get(0).id() + "~1");
    assertThat(drawn.get(size).text()).isEqualTo(drawn.get(0).text());
    assertThat(new HashSet<>(drawn.stream().map(Passage::id).toList())).hasSameSizeAs(drawn);
    assertThat(CLUSTERS.drawn(one, 1, 60_000, new Random(5))).isEqualTo(drawn);
    assertThat(CLUSTERS.drawn(one, 1, 60_000, new Random(6))).isNotEqualTo(drawn);
  }

  private static double sum(SortedMap<Integer, Double> shares) {
    return shares.values().stream().mapToDouble(d -> d).sum();
  }

  private static int bytes(List<Passage> passages) {
    return passages.stream().mapToInt(each -> each.text().length()).sum();
  }

  private static boolean isOf(List<Passage> cluster, Passage drawn) {
    return cluster.stream().anyMatch(each -> each.text().equals(drawn.text()));
  }

  private static int topic(Passage document) {
    return document.id().charAt(0) - '0';
  }

  /** Texts whose topics have no word in common. */
  private static List<Passage> documents(String name, int each) {
    Random random = new Random(name.hashCode());
    List<Passage> documents = new ArrayList<>();
    for (int i = 0; i < each * TOPICS; i++) {
      int topic = i % TOPICS;
      String text =
          random
              .ints(200, 0, 60)
              .mapToObj(word -> Integer.toString(7919 * (60 * topic + word + 11), 36))
              .collect(Collectors.joining(" "));
      documents.add(new Passage(topic + "/" + name + "-" + i, text));
    }
    return documents;
  }
}
