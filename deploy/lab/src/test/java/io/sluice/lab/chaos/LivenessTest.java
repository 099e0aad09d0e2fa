package io.sluice.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.chaos.trainer.Journal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LivenessTest {
  @TempDir private Path directory;

  @Test
  void theLastLongPauseTellsWhenItFlowsAgain() {
    Liveness liveness = new Liveness(List.of(900L, 1_000L, 4_000L, 4_100L, 7_100L, 7_200L));
    assertThat(liveness.flowingAfter(1_000)).isEqualTo(6_100);
    assertThat(liveness.longestPause()).isEqualTo(3_000);
  }

  @Test
  void shortPausesAreNoTrouble() {
    Liveness liveness = new Liveness(List.of(900L, 1_000L, 2_500L));
    assertThat(liveness.flowingAfter(1_000)).isZero();
  }

  @Test
  void beginsWithTheLastBatchBeforeTheMoment() {
    Journal journal = new Journal(directory.resolve("journal"));
    journal.add(new Journal.Begun(0));
    for (long at : new long[] {100, 200, 900, 1_000}) {
      journal.add(new Journal.Accepted(at / 100, 0, 8, 1, "00", 0, at, 0));
    }
    assertThat(Liveness.of(journal, 500).moments()).containsExactly(200L, 900L, 1_000L);
    assertThat(Liveness.of(journal, 0).moments()).hasSize(4);
  }
}
