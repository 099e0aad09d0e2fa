package io.sluice.cli.cat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChaptersTest {
  @Test
  void tellsOfTimelinesAndRevisions() {
    Chapters chapters = new Chapters();
    RunSpec before = spec("static", List.of());
    RunSpec after = spec("velocitune", List.of("java"));
    assertThat(chapters.before(0, 1, before)).isEmpty();
    assertThat(chapters.before(0, 2, before)).isEmpty();
    assertThat(chapters.before(0, 3, after))
        .contains("from batch 3 on: policy velocitune, domains prose");
    assertThat(chapters.before(2, 4, after)).contains("from batch 4 on: timeline 2");
    assertThat(chapters.before(2, 5, after)).isEmpty();
  }

  @Test
  void printsIdsWhereTheTokenizerIsNotKnown() {
    try (SequenceText ids = new SequenceText(null, 12)) {
      assertThat(ids.of(new int[] {1, 22, 333, 4444})).isEqualTo("[1, 22, 333,…");
    }
  }

  private static RunSpec spec(String policy, List<String> removed) {
    return RunSpec.newBuilder()
        .setRun("r")
        .setDataset("d")
        .setFingerprint(1)
        .setTokenizer("bytes")
        .setVocabulary(259)
        .setSequenceLength(8)
        .setDomains(List.of("java", "prose"))
        .setBatchSizes(List.of(new BatchSize(1L, 8)))
        .setSeed(1)
        .setInitialWeights(List.of(1L << 39, 1L << 39))
        .setPolicy(policy)
        .setUpdateEvery(0)
        .setEpochs(List.of(1, 1))
        .setRemoved(removed)
        .build();
  }
}
