package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.split.MixSplit;
import org.junit.jupiter.api.Test;

final class RetiredSplitsTest {
  private final RetiredSplits retired = new RetiredSplits();
  private final MixSplit split = new TestingRun("a", 1).split();

  @Test
  void aFinishedSplitStaysUntilACheckpointWithItIsComplete() {
    assertThat(retired.snapshot(1)).isEmpty();
    retired.finish(split);
    retired.complete(1);
    assertThat(retired.snapshot(2)).containsExactly(split);
    retired.complete(1);
    assertThat(retired.snapshot(3)).containsExactly(split);
    retired.complete(3);
    assertThat(retired.snapshot(4)).isEmpty();
  }

  @Test
  void aFailedSplitStays() {
    retired.fail(split);
    assertThat(retired.snapshot(1)).containsExactly(split);
    retired.complete(1);
    assertThat(retired.snapshot(2)).containsExactly(split);
    assertThat(retired.failures()).isEqualTo(1);
  }
}
