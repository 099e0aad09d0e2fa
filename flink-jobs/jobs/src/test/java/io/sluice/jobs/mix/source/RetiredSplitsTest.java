package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.StreamReach;
import io.sluice.jobs.mix.tail.StreamCheck;
import org.junit.jupiter.api.Test;

final class RetiredSplitsTest {
  private final RetiredSplits retired = new RetiredSplits();
  private final MixSplit split =
      new TestingRun("a", 1)
          .split()
          .reaching(new StreamReach(new long[] {7, 0, 0}, new long[] {1, 1, 1}));

  @Test
  void aFinishedSplitStaysUntilACheckpointWithItIsComplete() {
    assertThat(retired.snapshot(1)).isEmpty();
    retired.finish(split);
    retired.hear(new StreamCheck.Flushed(split.splitId()));
    retired.complete(1);
    assertThat(retired.snapshot(2)).containsExactly(split);
    retired.complete(1);
    assertThat(retired.snapshot(3)).containsExactly(split);
    retired.complete(3);
    assertThat(retired.snapshot(4)).isEmpty();
  }

  @Test
  void aFinishedSplitStaysUntilItIsFlushed() {
    retired.finish(split);
    assertThat(retired.snapshot(1)).containsExactly(split);
    retired.complete(1);
    assertThat(retired.snapshot(2)).containsExactly(split);
    assertThat(retired.hasFinished(split.splitId())).isTrue();
    retired.hear(new StreamCheck.Flushed(split.splitId()));
    retired.complete(2);
    assertThat(retired.snapshot(3)).isEmpty();
    assertThat(retired.hasFinished(split.splitId())).isFalse();
  }

  @Test
  void aFinishedSplitIsTakenOnce() {
    StreamCheck.Finding unfinished = new StreamCheck.Unfinished(split.splitId());
    retired.finish(split);
    assertThat(retired.hear(unfinished)).containsExactly(split);
    assertThat(retired.hear(unfinished)).isEmpty();
    assertThat(retired.snapshot(1)).isEmpty();
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
