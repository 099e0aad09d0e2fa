package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.shuffle.ShuffleQuality;
import io.sluice.jobs.prepare.shuffle.ShuffleQuality.Measure;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ShuffleQualityTest {
  @Test
  void anOrderThatIsKeptIsFarFromAGlobalOne() {
    ShuffleQuality kept = quality(1, 10_000);

    assertThat(kept.documents()).isEqualTo(10_000);
    assertThat(kept.distance()).isEqualTo(new Measure(1, 10_001 / 3.0));
    assertThat(kept.kept()).isEqualTo(new Measure(1, 1e-4));
    // Each window is of one stretch: (1 - 1/10)^2 once and (1/10)^2 nine times, over ten stretches.
    assertThat(kept.variance().here()).isCloseTo(.09, within(1e-9));
    assertThat(kept.variance().global()).isCloseTo(.09 / 100 * 9_900 / 9_999, within(1e-9));
  }

  @Test
  void aBufferOfAllDocumentsIsAsAGlobalOne() {
    ShuffleQuality all = quality(20_000, 20_000);

    assertThat(all.distance().here())
        .isCloseTo(all.distance().global(), Percentage.withPercentage(2));
    assertThat(all.kept().here()).isLessThan(5e-4);
    assertThat(all.variance().here())
        .isCloseTo(all.variance().global(), Percentage.withPercentage(15));
  }

  @Test
  void aLargerBufferMixesBetter() {
    List<ShuffleQuality> smaller =
        IntStream.of(10_000, 1_000, 100, 10, 1).mapToObj(size -> quality(size, 50_000)).toList();

    assertThat(smaller).map(each -> -each.distance().here()).isSorted();
    assertThat(smaller).map(each -> each.kept().here()).isSorted();
    assertThat(smaller).map(each -> each.variance().here()).isSorted();
  }

  @Test
  void itIsTheOrderInWhichDocumentsArePacked() {
    DatasetSpec spec = TestingDatasets.dataset(9, 30, 0);
    List<OutputRecord> output = new ArrayList<>();
    DomainPacking packing =
        new DomainPacking(
            spec,
            Topics.standard(),
            "java",
            new TestingSlots(),
            CommittedSupply.NONE,
            Decisions.none(),
            () -> 0,
            output::add);
    for (int i = 0; i < 200; i++) {
      byte[] tokens = TestingDatasets.encode("a document");
      packing.accept(
          new TokenizedDocument(
              "java", false, 0, Integer.toString(i), tokens, TokenizedDocument.ALL));
    }
    packing.accept(new CorpusEnded("java"));
    int[] packed =
        output.stream()
            .map(record -> WireCodec.decode(record.value()))
            .filter(TokenBlock.class::isInstance)
            .flatMap(block -> ((TokenBlock) block).getDocumentIds().stream())
            .filter(id -> !id.isEmpty())
            .distinct()
            .mapToInt(Integer::parseInt)
            .toArray();

    assertThat(packed).hasSize(200);
    assertThat(ShuffleQuality.of(spec, "java", 200)).contains(ShuffleQuality.of(packed));
  }

  @Test
  void oneDocumentHasNoOrderAndNoMoreThanAMillionAreLookedAt() {
    DatasetSpec spec = TestingDatasets.dataset(9, 30, 0);

    assertThat(ShuffleQuality.of(spec, "java", 0)).isEmpty();
    assertThat(ShuffleQuality.of(spec, "java", 1)).isEmpty();
    assertThat(ShuffleQuality.of(spec, "java", 2)).isPresent();
    assertThat(ShuffleQuality.of(spec, "java", Long.MAX_VALUE).orElseThrow().documents())
        .isEqualTo(1_000_000);
  }

  private static ShuffleQuality quality(int buffer, int documents) {
    return ShuffleQuality.of(TestingDatasets.dataset(9, buffer, 0), "java", documents)
        .orElseThrow();
  }
}
