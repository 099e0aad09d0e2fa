package io.sluice.refine.basis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.cluster.Histogram;
import io.sluice.refine.text.Words;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

final class BasisTopicsTest {
  private static final String MODEL = "cd".repeat(32);
  private static final int CLUSTERS = 16;

  /** Of the chi-squared distribution with 15 degrees of freedom, 1 % is above. */
  private static final double LIMIT = 30.578;

  private static final int POOL = 20_000;
  private static final int SEEDS = 100;

  private final Histogram pool = histogram(i -> 10 + i);
  private final Histogram falling = histogram(i -> 40 - 2 * i);
  private final Histogram rising = histogram(i -> 1 + i * i);
  private final Histogram wrong = histogram(i -> i == 3 ? 70 : 40 - 2 * i);

  /**
   * A pool drawn from q whose documents are kept with odds of w gives a sample of p, so that the
   * test rejects one in a hundred.
   */
  @Test
  void copiesFollowTheTopicsDistribution() {
    int rejectedFalling = 0;
    int rejectedRising = 0;
    int rejectedWrong = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      BasisTopics topics = topics(new Resampling(0.2, 8, seed));
      long[][] counts = resampled(topics, seed);
      rejectedFalling += rejects(counts[0], falling);
      rejectedWrong += rejects(counts[0], wrong);
      rejectedRising += rejects(counts[1], rising);
    }

    assertThat(rejectedFalling).isLessThanOrEqualTo(5);
    assertThat(rejectedRising).isLessThanOrEqualTo(5);
    assertThat(rejectedWrong).isEqualTo(SEEDS);
  }

  @Test
  void expectedCopiesAreWhatComesOut() {
    BasisTopics topics = topics(new Resampling(1.7, 8, 5));
    double[] sums = new double[2];
    for (long seed = 0; seed < 20; seed++) {
      long[][] counts = resampled(topics, 100 + seed);
      for (int topic = 0; topic < 2; topic++) {
        for (long count : counts[topic]) {
          sums[topic] += count / 20.0;
        }
      }
    }

    for (int topic = 0; topic < 2; topic++) {
      TopicOutlook outlook = topics.outlook(topic);
      assertThat(outlook.cut()).isZero();
      assertThat(outlook.copies()).isCloseTo(1.7 * POOL, within(1e-6 * POOL));
      assertThat(sums[topic]).isCloseTo(outlook.copies(), within(0.01 * outlook.copies()));
    }
  }

  @Test
  void copiesAreWholeWeightsAndTheRestByChance() {
    Histogram half = Histogram.of(MODEL, Map.of(0, 5L, 1, 5L));
    Histogram wanted = Histogram.of(MODEL, Map.of(0, 9L, 1, 1L));
    BasisTopics topics =
        BasisTopics.of(half, new TreeMap<>(Map.of("a", wanted)), new Resampling(2, 8, 1));

    double[] means = new double[3];
    for (int i = 0; i < 10_000; i++) {
      long document = Words.mixed(i);
      int many = topics.copies(0, 0, document);
      assertThat(many).isBetween(3, 4).isEqualTo(topics.copies(0, 0, document));
      means[0] += many / 10_000.0;
      means[1] += topics.copies(0, 1, document) / 10_000.0;
      means[2] += topics.copies(0, 2, document);
    }

    assertThat(means[0]).isCloseTo(3.6, within(0.02));
    assertThat(means[1]).isCloseTo(0.4, within(0.02));
    assertThat(means[2]).isZero();
  }

  @Test
  void saysWhatTheBoundAndMissingClustersTakeAway() {
    Histogram there = Histogram.of(MODEL, Map.of(0, 90L, 1, 10L));
    Histogram wanted = Histogram.of(MODEL, Map.of(1, 6L, 2, 4L));
    BasisTopics topics =
        BasisTopics.of(there, new TreeMap<>(Map.of("a", wanted)), new Resampling(1, 4, 1));

    TopicOutlook outlook = topics.outlook(0);
    assertThat(outlook.name()).isEqualTo("a");
    assertThat(outlook.unreached()).isCloseTo(0.4, within(1e-12));
    assertThat(outlook.copies()).isCloseTo(40, within(1e-9));
    assertThat(outlook.cut()).isCloseTo(1 - 4 / 6.0, within(1e-9));
    assertThat(outlook.effectiveSize()).isCloseTo(10, within(1e-9));
    assertThat(topics.copies(0, 1, 99)).isEqualTo(4);
  }

  @Test
  void anotherTopicDoesNotChangeWhatOneGets() {
    BasisTopics both = topics(new Resampling(0.5, 8, 3));
    BasisTopics alone =
        BasisTopics.of(pool, new TreeMap<>(Map.of("rising", rising)), new Resampling(0.5, 8, 3));

    int equal = 0;
    for (int i = 0; i < 500; i++) {
      assertThat(alone.copies(0, i % CLUSTERS, i)).isEqualTo(both.copies(1, i % CLUSTERS, i));
      equal += both.copies(0, 5, i) == both.copies(1, 5, i) ? 1 : 0;
    }
    assertThat(equal).isLessThan(490);
  }

  @Test
  void refusesWhatDoesNotGoTogether() {
    Resampling resampling = new Resampling(1, 8, 1);
    Histogram others = Histogram.of("ef".repeat(32), Map.of(0, 1L));
    Histogram elsewhere = Histogram.of(MODEL, Map.of(99, 1L));
    refused(() -> BasisTopics.of(pool, new TreeMap<>(), resampling), "at least 1: found 0");
    refused(
        () -> BasisTopics.of(pool, new TreeMap<>(Map.of("a", others)), resampling),
        "the histogram of topic 'a' must be of the pool's clusters");
    refused(
        () -> BasisTopics.of(pool, new TreeMap<>(Map.of("a", elsewhere)), resampling),
        "topic 'a' must share a cluster with the pool: found none");
    refused(() -> new Resampling(0, 8, 1), "scale must be a number above 0");
    refused(() -> new Resampling(Double.NaN, 8, 1), "found NaN");
    refused(() -> new Resampling(1, 0, 1), "max-copies must be a whole number from 1 to 1000");
  }

  private static void refused(Runnable made, String reason) {
    assertThatThrownBy(made::run)
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }

  private BasisTopics topics(Resampling resampling) {
    return BasisTopics.of(
        pool, new TreeMap<>(Map.of("falling", falling, "rising", rising)), resampling);
  }

  /** Counts by topic and cluster of a pool that is drawn anew. */
  private long[][] resampled(BasisTopics topics, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[][] counts = new long[topics.size()][CLUSTERS];
    for (int i = 0; i < POOL; i++) {
      int cluster = drawn(random.nextDouble());
      long document = random.nextLong();
      for (int topic = 0; topic < counts.length; topic++) {
        counts[topic][cluster] += topics.copies(topic, cluster, document);
      }
    }
    return counts;
  }

  private int drawn(double at) {
    double sum = 0;
    for (int i = 0; i < CLUSTERS - 1; i++) {
      sum += pool.weight(i);
      if (at < sum) {
        return i;
      }
    }
    return CLUSTERS - 1;
  }

  private static int rejects(long[] counts, Histogram expected) {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    double statistic = 0;
    for (int i = 0; i < CLUSTERS; i++) {
      double wanted = total * expected.weight(i);
      statistic += (counts[i] - wanted) * (counts[i] - wanted) / wanted;
    }
    return statistic > LIMIT ? 1 : 0;
  }

  /** Shares by cluster, of a pool as large as the ones that are drawn. */
  private static Histogram histogram(IntToLongFunction shares) {
    Map<Integer, Long> counts = new HashMap<>();
    for (int i = 0; i < CLUSTERS; i++) {
      counts.put(i, shares.applyAsLong(i));
    }
    return new Histogram(MODEL, POOL, Histogram.of(MODEL, counts).weights());
  }
}
