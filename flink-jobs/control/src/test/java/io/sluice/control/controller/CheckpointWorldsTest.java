package io.sluice.control.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What may be cut of a stream, whatever processes of other world sizes say. */
class CheckpointWorldsTest {
  private final TestingRunStore store = new TestingRunStore();
  private CheckpointWorlds worlds = new CheckpointWorlds(store, Map.of());

  private static TrainerProgress keeping(int size, int rank, long checkpoint) {
    return TrainerProgress.newBuilder(TestingRuns.progress(1_000))
        .setWorldSize(size)
        .setRank(rank)
        .setOldestCheckpoint(checkpoint)
        .build();
  }

  private void all(int size, long checkpoint) {
    for (int rank = 0; rank < size; rank++) {
      worlds.report(keeping(size, rank, checkpoint));
    }
  }

  @Test
  void aSingleRankCutsNothingThatEightStillNeed() {
    all(8, 80);
    all(1, 500);
    assertThat(worlds.oldest()).isEqualTo(80);
    worlds = new CheckpointWorlds(store, store.load());
    assertThat(worlds.oldest()).isEqualTo(80);
    all(8, 120);
    assertThat(worlds.oldest()).as("eight ranks are gone on with").isEqualTo(120);
  }

  @Test
  void aSingleRankHoldsWhatItNeedsItself() {
    all(8, 80);
    all(1, 30);
    assertThat(worlds.oldest()).isEqualTo(30);
  }

  @Test
  void aWorldThatIsNotWholeCutsNothing() {
    all(8, 80);
    worlds.report(keeping(16, 0, 300));
    assertThat(worlds.oldest()).isEqualTo(-1);
    all(16, 300);
    assertThat(worlds.oldest()).isEqualTo(300);
  }

  @Test
  void halfAsManyRanksTakeThePlaceOfTheOthersAndFewerDoNot() {
    all(8, 80);
    all(3, 200);
    assertThat(worlds.oldest()).isEqualTo(80);
    all(4, 300);
    assertThat(worlds.oldest()).isEqualTo(300);
  }

  @Test
  void nothingIsCutOnceTheWorldsAreTooManyToTell() {
    int size = 1;
    for (int known = 1; known < CheckpointWorlds.MAX_WORLDS; known++, size *= 3) {
      all(1, 40);
      worlds.report(keeping(size, 0, 40));
    }
    int sizes =
        (int) store.load().keySet().stream().map(part -> part.split("/", -1)[1]).distinct().count();
    assertThat(sizes).isEqualTo(CheckpointWorlds.MAX_WORLDS - 1);
    worlds.report(keeping(size, 0, 40));
    worlds.report(keeping(size * 3, 0, 40));
    assertThat(worlds.oldest()).isEqualTo(-1);
    assertThat(store.load()).hasSize(CheckpointWorlds.MAX_WORLDS);
    worlds.clear();
    assertThat(store.load()).isEmpty();
  }

  @Test
  void readsWhatEarlierBuildsKept() {
    store.put("checkpoint/0", WireCodec.encode(keeping(2, 0, 7)));
    store.put("checkpoint/1", WireCodec.encode(keeping(2, 1, 6)));
    worlds = new CheckpointWorlds(store, store.load());
    assertThat(worlds.oldest()).isEqualTo(6);
    assertThat(store.load()).containsOnlyKeys("checkpoint/2/0", "checkpoint/2/1");
  }
}
