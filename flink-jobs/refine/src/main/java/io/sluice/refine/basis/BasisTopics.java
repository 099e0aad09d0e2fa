package io.sluice.refine.basis;

import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.cluster.Histogram;
import io.sluice.refine.text.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Virtual domains that each follow one of the basis distributions of section 3.2 of the DGA paper,
 * so that mixing them as the policy {@code dga-distribution} says needs as many domains as there
 * are distributions, and not as many as there are clusters. Immutable; a document's copies depend
 * on nothing but the document.
 *
 * <p>A document of cluster c belongs to topic i with importance weight {@code w = p_i(c) / q(c)},
 * p_i being the topic's and q the pool's share of the cluster. It gets {@code floor(w * scale)}
 * copies, and one more with the odds of the rest, by a hash of seed, document and topic: the
 * expected number is {@code w * scale}, and the copies follow p_i. Deviations: clusters of which
 * the pool has nothing are not reached, and copies are bounded; {@link #outlook} says what both
 * take away.
 */
public final class BasisTopics {
  private final List<Topic> topics;
  private final int maxCopies;
  private final long key;

  private record Topic(long key, Map<Integer, Double> copies, TopicOutlook outlook) {}

  private BasisTopics(List<Topic> topics, Resampling resampling) {
    this.topics = List.copyOf(topics);
    this.maxCopies = resampling.maxCopies();
    this.key = Words.mixed(resampling.seed());
  }

  /**
   * Topics of distributions.
   *
   * @param pool histogram of the documents that are resampled
   * @param basis histogram of each topic, at least one, by its name
   * @throws BadInputException if there is none, one is of other clusters than the pool's, or
   *     reaches no document
   */
  public static BasisTopics of(
      Histogram pool, SortedMap<String, Histogram> basis, Resampling resampling) {
    if (basis.isEmpty()) {
      throw new BadInputException("basis topics must be at least 1: found 0");
    }
    List<Topic> topics = new ArrayList<>();
    basis.forEach((name, wanted) -> topics.add(topic(name, wanted, pool, resampling)));
    return new BasisTopics(topics, resampling);
  }

  private static Topic topic(String name, Histogram wanted, Histogram pool, Resampling resampling) {
    if (!wanted.clusters().equals(pool.clusters())) {
      throw new BadInputException(
          "the histogram of topic '"
              + name
              + "' must be of the pool's clusters, "
              + pool.clusters()
              + ": found "
              + wanted.clusters());
    }
    Map<Integer, Double> expected = new HashMap<>();
    double reached = 0;
    double squares = 0;
    double kept = 0;
    double cut = 0;
    for (Map.Entry<Integer, Double> share : wanted.weights().entrySet()) {
      double there = pool.weight(share.getKey());
      if (there > 0) {
        double weight = share.getValue() / there;
        double due = weight * resampling.scale();
        double copies = Math.min(resampling.maxCopies(), due);
        expected.put(share.getKey(), copies);
        reached += share.getValue();
        squares += there * weight * weight;
        kept += there * copies;
        cut += there * (due - copies);
      }
    }
    if (expected.isEmpty()) {
      throw new BadInputException(
          "topic '" + name + "' must share a cluster with the pool: found none");
    }
    double documents = pool.documents();
    TopicOutlook outlook =
        new TopicOutlook(
            name,
            documents * kept,
            documents * reached * reached / squares,
            Math.max(0, 1 - reached),
            cut / (kept + cut));
    return new Topic(Hashing.komihash5_0().hashCharsToLong(name), Map.copyOf(expected), outlook);
  }

  /** Number of topics, in the order of their names. */
  public int size() {
    return topics.size();
  }

  /** What the topics are called, sorted. */
  public List<String> names() {
    return topics.stream().map(topic -> topic.outlook.name()).toList();
  }

  /** What a topic, by its place, is expected to become. */
  public TopicOutlook outlook(int topic) {
    return topics.get(topic).outlook;
  }

  /**
   * How often a document belongs to a topic.
   *
   * @param topic its place among the topics
   * @param cluster that the document falls to
   * @param document a hash of it
   * @return 0 to the bound on copies
   */
  public int copies(int topic, int cluster, long document) {
    Topic asked = topics.get(topic);
    double expected = asked.copies.getOrDefault(cluster, 0.0);
    int whole = (int) expected;
    double drawn = (Words.mixed(Words.mixed(document ^ key) ^ asked.key) >>> 11) * 0x1p-53;
    return Math.min(maxCopies, drawn < expected - whole ? whole + 1 : whole);
  }

  /**
   * How often a document belongs to each topic that it belongs to, by the topics' names; empty if
   * it is in none.
   *
   * @param cluster that the document falls to
   * @param document a hash of it
   */
  public SortedMap<String, Integer> copies(int cluster, long document) {
    SortedMap<String, Integer> found = new TreeMap<>();
    for (int topic = 0; topic < topics.size(); topic++) {
      int copies = copies(topic, cluster, document);
      if (copies > 0) {
        found.put(topics.get(topic).outlook.name(), copies);
      }
    }
    return found;
  }
}
