package io.sluice.client.derive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.error.InvalidWorldSizeException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.TestingLog;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunRevised;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class DerivationTest {
  private static final DomainEnds GROWING = ends(OptionalLong.empty(), false);
  private static final TrainerRank ALL = TrainerRank.single();

  private final RunInfo info = new TestingStream(1, 4).run();
  private final Derivation derivation = new Derivation("r-1", 1);

  private static DomainEnds ends(OptionalLong blocks, boolean inPlace) {
    return new DomainEnds() {
      @Override
      public OptionalLong blocks(String domain, int lane) {
        return blocks;
      }

      @Override
      public boolean isInPlace(String domain, int lane) {
        return inPlace;
      }
    };
  }

  private static ControlRecord grant(int timeline, long after, long to, long first) {
    int batches = (int) (to - after);
    MixtureGrant grant =
        MixtureGrant.newBuilder()
            .setAfter(after)
            .setTo(to)
            .setFirstSequence(first)
            .setWeightsVersion(1)
            .setBatchSizes(Collections.nCopies(batches, 4))
            .setCounts(
                Collections.nCopies(batches, List.of(2, 1, 1)).stream()
                    .flatMap(List::stream)
                    .toList())
            .setEffectiveWeights(List.of(1L << 39, 1L << 38, 1L << 38))
            .build();
    ControlRecord entry = TestingLog.grant("r-1", timeline, 1, 0, after, to, 1);
    entry.setBody(grant);
    return entry;
  }

  private ControlRecord revised(int timeline, long batch, long next, List<Long> ordinals) {
    ControlRecord entry = TestingLog.revised(info, timeline, 1, 0, batch, next, 1);
    ((RunRevised) entry.getBody()).getSnapshot().setOrdinals(ordinals);
    return entry;
  }

  private void start() {
    derivation.apply(TestingLog.started(info));
  }

  private void assertCorrupt(ControlRecord entry, String message) {
    assertThatThrownBy(() -> derivation.apply(entry))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessage("control log of run r-1: " + message);
  }

  @Test
  void failsOnAGrantThatDoesNotGoOn() {
    start();
    assertCorrupt(
        grant(0, 1, 3, 0),
        "batch 2 of weights version 1 is granted from sequence 0 on: expected batch 1 of at least"
            + " version 1 from sequence 0 on");
    derivation.apply(grant(0, 0, 3, 0));
    assertCorrupt(
        grant(0, 3, 4, 11),
        "batch 4 of weights version 1 is granted from sequence 11 on: expected batch 4 of at least"
            + " version 1 from sequence 12 on");
    ControlRecord older = grant(0, 3, 4, 12);
    ((MixtureGrant) older.getBody()).setWeightsVersion(0);
    assertCorrupt(
        older,
        "batch 4 of weights version 0 is granted from sequence 12 on: expected batch 4 of at least"
            + " version 1 from sequence 12 on");
  }

  @Test
  void failsOnNumbersThatCannotBe() {
    start();
    ControlRecord entry = grant(0, 0, 1, 0);
    MixtureGrant grant = (MixtureGrant) entry.getBody();
    grant.setCounts(List.of(2, 1, 2));
    assertCorrupt(entry, "sum of the counts of batch 1 must be 4: 5");
    grant.setCounts(List.of(5, -1, 0));
    assertCorrupt(entry, "sequences of domain 1 in batch 1 must be at least 0: -1");
    grant.setCounts(List.of(2, 2));
    assertCorrupt(entry, "counts must be 1 x 3: 2");
    grant.setBatchSizes(List.of(4, 4));
    assertCorrupt(entry, "a grant of (0, 1] must have its batch sizes: 2");
    assertThat(derivation.has(1)).isFalse();
  }

  @Test
  void failsOnARevisionThatSaysSomethingElseOfWhatWasGranted() {
    start();
    derivation.apply(grant(0, 0, 2, 0));
    assertCorrupt(
        revised(0, 1, 4, List.of(2L, 1L, 1L)), "batch 1 is revised, the last granted one is 2");
    derivation.apply(revised(0, 2, 8, List.of(4L, 3L, 1L)));
    derivation.apply(grant(0, 2, 3, 8));
    assertThat(derivation.derive(2, ALL, GROWING).rows()).isEqualTo(4);
    assertThatThrownBy(() -> derivation.derive(3, ALL, GROWING))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessage(
            "control log of run r-1: batch 3 begins at sequence 8 and ordinals [4, 3, 1], the"
                + " batches before it end at sequence 8 and ordinals [4, 2, 2]");
  }

  @Test
  void failsOnARevisionWithOtherDomains() {
    start();
    RunInfo other = new TestingStream(1, 4).run();
    other.spec().setDomains(List.of("java", "config", "prose"));
    assertCorrupt(
        TestingLog.revised(other, 0, 1, 0, 0, 0, 1),
        "batch 1 has domains [java, config, prose], those before [java, prose, config]");
  }

  @Test
  void failsOnASnapshotWithoutTheOrdinalsOfItsLanes() {
    start();
    assertCorrupt(
        revised(0, 0, 0, List.of(0L, 0L)),
        "batch 0 must leave ordinals of 1 lanes of 3 domains: 2");
  }

  @Test
  void dropsWhatIsBehind() {
    start();
    derivation.apply(grant(0, 0, 8, 0));
    long[] sixth = derivation.derive(6, ALL, GROWING).ordinal();
    assertThat(derivation.has(5)).isFalse();
    assertThat(derivation.has(6)).isTrue();
    assertThat(derivation.has(9)).isFalse();
    assertThat(derivation.derive(6, ALL, GROWING).ordinal()).isEqualTo(sixth);
    assertThatThrownBy(() -> derivation.derive(5, ALL, GROWING))
        .hasMessage("batch 5 of run r-1 cannot be derived: the last granted one is 8");
  }

  @Test
  void neverKeepsWhatIsNotAskedFor() {
    Derivation late = new Derivation("r-1", 7);
    late.apply(TestingLog.started(info));
    late.apply(grant(0, 0, 8, 0));
    assertThat(late.has(6)).isFalse();
    derivation.apply(TestingLog.started(info));
    derivation.apply(grant(0, 0, 8, 0));
    assertThat(late.derive(7, ALL, GROWING))
        .usingRecursiveComparison()
        .isEqualTo(derivation.derive(7, ALL, GROWING));
  }

  @Test
  void aRewindThatTakesBackWhatWasAskedForLeadsToItsFirstBatch() {
    start();
    derivation.apply(grant(0, 0, 8, 0));
    derivation.derive(6, ALL, GROWING);
    derivation.apply(revised(1, 3, 12, List.of(16L, 8L, 8L)));
    derivation.apply(grant(1, 3, 5, 12));
    derivation.apply(grant(1, 5, 9, 20));
    DerivedBatch fourth = derivation.derive(4, ALL, GROWING);
    assertThat(fourth.timeline()).isEqualTo(1);
    assertThat(fourth.ordinal()).containsExactlyInAnyOrder(16, 17, 8, 8);
  }

  @Test
  void ofATimelineThatIsLeftTheBatchesBeforeStand() {
    start();
    derivation.apply(grant(0, 0, 8, 0));
    derivation.apply(revised(1, 3, 12, List.of(6L, 3L, 3L)));
    assertThat(derivation.derive(3, ALL, GROWING).timeline()).isZero();
    assertThat(derivation.has(4)).isFalse();
  }

  @Test
  void beginsAgainWhereALogIsReadAgain() {
    start();
    derivation.apply(grant(0, 0, 8, 0));
    start();
    assertThat(derivation.has(1)).isFalse();
    derivation.apply(TestingLog.state("r-1", 1, 0, "paused", "lunch"));
    derivation.apply(grant(0, 0, 2, 0));
    assertThat(derivation.has(2)).isTrue();
    assertThat(derivation.has(3)).isFalse();
  }

  @Test
  void anOrdinalIsItsOwnBlockUntilTheDomainsEndIsKnown() {
    start();
    derivation.apply(grant(0, 0, 8, 0));
    DerivedBatch before = derivation.derive(8, ALL, GROWING);
    assertThat(before.block()).isEqualTo(before.ordinal());
    DerivedBatch after = derivation.derive(8, ALL, ends(OptionalLong.of(7), false));
    assertThat(after.ordinal()).isEqualTo(before.ordinal());
    assertThat(LongStream.of(after.block()).allMatch(block -> block < 7)).isTrue();
  }

  @Test
  void blocksInPlaceAreShuffledFromTheFirstEpochOnOnceTheirEndIsKnown() {
    start();
    derivation.apply(grant(0, 0, 8, 0));
    DerivedBatch early = derivation.derive(1, ALL, ends(OptionalLong.empty(), true));
    assertThat(early.block()).containsOnly(1L << 62);
    long[] java = new long[16];
    for (int batch = 1; batch <= 8; batch++) {
      DerivedBatch derived = derivation.derive(batch, ALL, ends(OptionalLong.of(16), true));
      for (int row = 0; row < 4; row++) {
        if (derived.domain()[row] == 0) {
          java[(int) derived.ordinal()[row]] = derived.block()[row];
        }
      }
    }
    assertThat(java).doesNotHaveDuplicates().isNotEqualTo(LongStream.range(0, 16).toArray());
  }

  @Test
  void ranksMustDivideABatch() {
    start();
    derivation.apply(grant(0, 0, 1, 0));
    assertThatThrownBy(() -> derivation.derive(1, TrainerRank.of(0, 3), GROWING))
        .isInstanceOf(InvalidWorldSizeException.class);
  }

  @Test
  void hasNothingBeforeTheLogBegins() {
    assertThat(derivation.has(1)).isFalse();
    assertThatThrownBy(() -> derivation.apply(grant(0, 0, 1, 0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the log of the run has not been begun");
  }
}
