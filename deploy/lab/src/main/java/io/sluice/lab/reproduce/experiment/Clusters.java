package io.sluice.lab.reproduce.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.lab.reproduce.corpus.Passage;
import io.sluice.refine.cluster.ClusterTree;
import io.sluice.refine.cluster.DocumentFrequencies;
import io.sluice.refine.cluster.Embedder;
import io.sluice.refine.cluster.HashedEmbedder;
import io.sluice.refine.cluster.Hierarchy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Documents divided into clusters of clusters, as {@code sluice cluster fit} does it, and drawn
 * from them in the shares that other documents have: the domains {@code mix(p)} of section 3.2 of
 * DGA's paper.
 *
 * @param leaves the documents of each cluster of the lowest level, none of which is empty
 */
record Clusters(ClusterTree tree, Embedder embedder, SortedMap<Integer, List<Passage>> leaves) {
  /**
   * Divides documents.
   *
   * @param documents at least one
   * @param branching most clusters of a cluster
   * @param levels 1 to 3
   */
  static Clusters of(List<Passage> documents, int branching, int levels, long seed) {
    DocumentFrequencies frequencies = new DocumentFrequencies(HashedEmbedder.CHARACTERS);
    documents.forEach(document -> frequencies.add(document.text()));
    Embedder embedder = frequencies.embedder(HashedEmbedder.DIMENSION);
    float[][] vectors =
        documents.stream().map(document -> embedder.embed(document.text())).toArray(float[][]::new);
    ClusterTree tree = Hierarchy.fit(vectors, branching, levels, seed, level -> {}).tree();
    SortedMap<Integer, List<Passage>> leaves = new TreeMap<>();
    for (int i = 0; i < vectors.length; i++) {
      int leaf = tree.descend(vectors[i]);
      leaves.computeIfAbsent(leaf, id -> new ArrayList<>()).add(documents.get(i));
    }
    return new Clusters(tree, embedder, leaves);
  }

  /** The clusters of a level from 1, with their documents. */
  SortedMap<Integer, List<Passage>> at(int level) {
    SortedMap<Integer, List<Passage>> clusters = new TreeMap<>();
    leaves.forEach(
        (leaf, documents) ->
            clusters
                .computeIfAbsent(tree.above(leaf, level), id -> new ArrayList<>())
                .addAll(documents));
    return clusters;
  }

  /** Shares of the clusters of a level in all documents: the natural proportions. */
  SortedMap<Integer, Double> natural(int level) {
    SortedMap<Integer, Double> shares = new TreeMap<>();
    double all = leaves.values().stream().mapToInt(List::size).sum();
    at(level).forEach((cluster, documents) -> shares.put(cluster, documents.size() / all));
    return shares;
  }

  /**
   * Shares of the clusters of a level in other documents: equation 4, without any smoothing. What
   * falls to a cluster that has no document counts for none.
   */
  SortedMap<Integer, Double> histogram(List<Passage> documents, int level) {
    SortedMap<Integer, Double> shares = new TreeMap<>();
    for (Passage document : documents) {
      int leaf = tree.descend(embedder.embed(document.text()));
      if (leaves.containsKey(leaf)) {
        shares.merge(tree.above(leaf, level), 1.0, Double::sum);
      }
    }
    double counted = shares.values().stream().mapToDouble(d -> d).sum();
    shares.replaceAll((cluster, count) -> count / counted);
    return shares;
  }

  /**
   * Documents in given shares of the clusters of a level: each is the next of a cluster that is
   * drawn. A cluster's documents come in an order that is drawn, all of them before any comes
   * again, as a copy with an id of its own.
   *
   * @param shares by cluster; their sum is 1
   * @param bytes that are enough
   */
  List<Passage> drawn(Map<Integer, Double> shares, int level, int bytes, Random random) {
    Map<Integer, List<Passage>> orders = new HashMap<>();
    at(level)
        .forEach(
            (cluster, documents) -> {
              Collections.shuffle(documents, random);
              orders.put(cluster, documents);
            });
    Map<Integer, Integer> taken = new HashMap<>();
    List<Passage> drawn = new ArrayList<>();
    for (long have = 0; have < bytes; ) {
      int cluster = drawn(shares, random.nextDouble());
      List<Passage> order = Objects.requireNonNull(orders.get(cluster));
      int before = taken.merge(cluster, 1, Integer::sum) - 1;
      Passage next = order.get(before % order.size());
      int copy = before / order.size();
      drawn.add(copy == 0 ? next : new Passage(next.id() + "~" + copy, next.text()));
      have += next.text().getBytes(UTF_8).length;
    }
    return drawn;
  }

  /** The cluster at a place from 0 to 1 of all shares. */
  private static int drawn(Map<Integer, Double> shares, double place) {
    double left = place;
    int last = 0;
    for (Map.Entry<Integer, Double> share : shares.entrySet()) {
      last = share.getKey();
      left -= share.getValue();
      if (left < 0) {
        break;
      }
    }
    return last;
  }
}
