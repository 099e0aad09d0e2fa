package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.StreamReach;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RetiredSplitsTest {
  private static final Duration UNFLUSHED = Duration.ofSeconds(10);
  private static final long FLUSHED = UNFLUSHED.toNanos();

  private final RetiredSplits retired = new RetiredSplits();
  private final MixSplit split =
      new TestingRun("a", 1)
          .split()
          .reaching(new StreamReach(new long[] {7, 0, 0}, new long[] {1, 1, 1}));

  @Test
  void aFinishedSplitStaysUntilACheckpointWithItIsComplete() {
    assertThat(retired.snapshot(1)).isEmpty();
    retired.finish(split, UNFLUSHED, 0);
    retired.complete(1, FLUSHED);
    assertThat(retired.snapshot(2)).containsExactly(split);
    retired.complete(1, FLUSHED);
    assertThat(retired.snapshot(3)).containsExactly(split);
    retired.complete(3, FLUSHED);
    assertThat(retired.snapshot(4)).isEmpty();
  }

  @Test
  void aFinishedSplitStaysUntilItIsFlushed() {
    retired.finish(split, UNFLUSHED, 0);
    assertThat(retired.snapshot(1)).containsExactly(split);
    retired.complete(1, FLUSHED - 1);
    assertThat(retired.snapshot(2)).containsExactly(split);
    assertThat(retired.hasFinished(split.splitId())).isTrue();
    retired.complete(2, FLUSHED);
    assertThat(retired.snapshot(3)).isEmpty();
    assertThat(retired.hasFinished(split.splitId())).isFalse();
  }

  @Test
  void aFinishedSplitIsTakenOnce() {
    retired.finish(split, UNFLUSHED, 0);
    assertThat(retired.take(split.splitId())).containsExactly(split);
    assertThat(retired.take(split.splitId())).isEmpty();
    assertThat(retired.snapshot(1)).isEmpty();
  }

  @Test
  void aFailedSplitStays() {
    retired.fail(split);
    assertThat(retired.snapshot(1)).containsExactly(split);
    retired.complete(1, FLUSHED);
    assertThat(retired.snapshot(2)).containsExactly(split);
    assertThat(retired.failures()).isEqualTo(1);
  }
}
