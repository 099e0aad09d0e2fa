package io.sluice.refine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.refine.basis.BasisTopics;
import io.sluice.refine.basis.Resampling;
import io.sluice.refine.cluster.Histogram;
import io.sluice.refine.step.Examination;
import io.sluice.refine.step.StepNames;
import io.sluice.schema.Document;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import io.sluice.schema.RefinedDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Documents that go to basis topics, as often as was drawn. */
final class DrawnCopiesTest {
  private static final String MODEL = "cd".repeat(32);
  private static final int CLUSTERS = 8;

  /** Of the chi-squared distribution with 7 degrees of freedom, 1 % is above. */
  private static final double LIMIT = 18.475;

  private static final int POOL = 2_000;
  private static final int SEEDS = 100;

  private final Histogram pool = histogram(5, 5, 10, 10, 20, 20, 15, 15);
  private final Histogram rising = histogram(1, 2, 3, 4, 5, 6, 7, 8);
  private final TestingDecisions decided = new TestingDecisions();

  @Test
  void aDocumentIsInEachTopicAsOftenAsWasDrawn() {
    Refinery refinery = refinery("b-{basis}", List.of("a"));

    refinery.accept(0, 0, drawn("x", 3, Map.of("art", 2, "law", 1)), decided);
    refinery.accept(0, 1, drawn("y", 3, Map.of()), decided);
    refinery.accept(0, 2, new Examined.End(), decided);

    assertThat(decided.said).containsExactly("b-art x#1", "b-art x#2", "b-law x#1");
    assertThat(decided.documents)
        .extracting(document -> document.getProperties().get("basis"))
        .containsExactly("art", "art", "law");
    RefineProgress progress = refinery.progress();
    assertThat(progress.getCounts()).isEqualTo(Map.of("kept", 1L, "not drawn", 1L, "end", 1L));
    assertThat(progress.getOutputs())
        .containsExactly(new RefinedDomain("b-art", 2L, 12L), new RefinedDomain("b-law", 1L, 6L));
    assertThat(decided.ends).isEqualTo(Map.of("b-art", 2L, "b-law", 1L));
    assertThat(decided.dropped).isEmpty();
  }

  @Test
  void idsOfSeveralInputsHaveTheirInputs() {
    Refinery refinery = refinery("{input}-{basis}", List.of("a", "b"));

    refinery.accept(1, 0, drawn("x", 3, Map.of("law", 1)), decided);

    assertThat(decided.said).containsExactly("b-law b/x#1");
  }

  /** As of {@link BasisTopics} alone, but by what a refinery writes. */
  @Test
  void whatIsWrittenFollowsTheTopicsDistribution() {
    int rejected = 0;
    int rejectedPool = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      BasisTopics topics =
          BasisTopics.of(pool, new TreeMap<>(Map.of("art", rising)), new Resampling(0.4, 8, seed));
      TestingDecisions written = new TestingDecisions();
      Refinery refinery = refinery("b-{basis}", List.of("a"));
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < POOL; i++) {
        int cluster = cluster(random.nextInt(100));
        refinery.accept(
            0, i, drawn("d" + i, cluster, topics.copies(cluster, random.nextLong())), written);
      }
      long[] counts = new long[CLUSTERS];
      for (Document document : written.documents) {
        counts[Integer.parseInt(document.getProperties().get(StepNames.CLUSTER))]++;
      }
      rejected += rejects(counts, rising);
      rejectedPool += rejects(counts, pool);
      RefineProgress progress = refinery.progress();
      assertThat(progress.getOutputs().get(0).getDocuments()).isEqualTo(written.documents.size());
      assertThat(progress.getCounts().get("kept") + progress.getCounts().get("not drawn"))
          .isEqualTo(POOL);
    }

    assertThat(rejected).isLessThanOrEqualTo(5);
    assertThat(rejectedPool).isEqualTo(SEEDS);
  }

  private int cluster(int percent) {
    int sum = 0;
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      sum += (int) pool.count(cluster);
      if (percent < sum) {
        return cluster;
      }
    }
    throw new IllegalArgumentException();
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

  private static Histogram histogram(long... counts) {
    Map<Integer, Long> all = new TreeMap<>();
    for (int i = 0; i < counts.length; i++) {
      all.put(i, counts[i]);
    }
    return Histogram.of(MODEL, all);
  }

  private static Refinery refinery(String pattern, List<String> inputs) {
    return new Refinery(
        new RefineSpec(
            "r",
            new ArrayList<>(inputs),
            pattern,
            List.of("b-art", "b-law"),
            List.of(new RefineStep(StepNames.BASIS, "m", "00", Map.of())),
            1L),
        Optional.empty(),
        Optional.empty());
  }

  private static Examined drawn(String id, int cluster, Map<String, Integer> copies) {
    return new Examined.Usable(
        new Document(id, "a text", "file", 0L, Map.of("basis", "old"), null),
        new Examination(
            Map.of(StepNames.CLUSTER, Integer.toString(cluster)),
            Optional.empty(),
            Optional.empty(),
            copies));
  }
}
