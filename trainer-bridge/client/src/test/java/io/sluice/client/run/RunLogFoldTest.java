package io.sluice.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.stream.TestingLog;
import io.sluice.client.stream.TestingStream;
import org.junit.jupiter.api.Test;

final class RunLogFoldTest {
  private final RunInfo info = new TestingStream(1, 4).run();
  private final RunLogFold run = new RunLogFold("r-1");

  @Test
  void appliesOnlyWhatContinuesTheCurrentRecord() {
    run.apply(0, 10, TestingLog.started(info), 0);
    run.apply(0, 11, TestingLog.grant("r-1", 1, 9, 0, 99), 0);
    run.apply(0, 12, TestingLog.grant("r-2", 1, 10, 0, 99), 0);
    run.apply(1, 13, TestingLog.grant("r-1", 1, 10, 0, 99), 0);
    run.apply(0, 14, TestingLog.grant("r-1", 2, 10, 0, 99), 0);
    run.apply(0, 15, TestingLog.grant("r-1", 1, 10, 0, 30), 0);
    run.apply(0, 16, TestingLog.grant("r-1", 1, 10, 0, 99), 0);
    assertThat(run.describe(31))
        .isEqualTo("batch 31 is not granted yet: the last grant ends at batch 30");
    assertThat(run.describe(30))
        .isEqualTo("batch 30 is granted (to 30) but not all of it was emitted");
    assertThat(run.hasEndedBefore(31)).isFalse();
  }

  @Test
  void tellsAPausedRunFromAnEndedOne() {
    run.apply(0, 0, TestingLog.started(info), 0);
    run.apply(0, 1, TestingLog.state("r-1", 1, 0, "paused", "lunch"), 0);
    assertThat(run.describe(1))
        .isEqualTo(
            "run r-1 is paused (lunch); batch 1 is not granted yet: the last grant ends at batch"
                + " 0");
    assertThat(run.hasEndedBefore(1)).isFalse();
    run.apply(0, 2, TestingLog.state("r-1", 2, 1, "failed", "no blocks"), 0);
    assertThat(run.hasEndedBefore(1)).isTrue();
    assertThat(run.why()).isEqualTo("no blocks");
  }

  @Test
  void awaitsWhatACompletedRunWasGranted() {
    run.apply(0, 0, TestingLog.started(info), 0);
    run.apply(0, 1, TestingLog.grant("r-1", 1, 0, 0, 40), 0);
    run.apply(0, 2, TestingLog.state("r-1", 2, 1, "completed", "all 40 batches are granted"), 0);
    assertThat(run.hasEndedBefore(40)).isFalse();
    assertThat(run.hasEndedBefore(41)).isTrue();
  }

  @Test
  void foldsALogThatHasLostItsTailAnew() {
    run.apply(0, 0, TestingLog.started(info), 0);
    run.apply(0, 1, TestingLog.grant("r-1", 1, 0, 0, 40), 0);
    run.apply(0, 2, TestingLog.grant("r-1", 2, 1, 40, 80), 0);
    run.apply(0, 0, TestingLog.started(info), 0);
    assertThat(run.granted()).isZero();
    run.apply(0, 1, TestingLog.grant("r-1", 1, 0, 0, 40), 0);
    run.apply(0, 2, TestingLog.state("r-1", 2, 1, "failed", "the tail is lost"), 0);
    assertThat(run.granted()).isEqualTo(40);
    assertThat(run.hasEndedBefore(41)).isTrue();
    assertThat(run.why()).isEqualTo("the tail is lost");
  }

  @Test
  void aStartThatWasWrittenTwiceChangesNothing() {
    run.apply(0, 0, TestingLog.started(info), 0);
    run.apply(0, 2, TestingLog.grant("r-1", 1, 0, 0, 40), 0);
    run.apply(0, 3, TestingLog.started(info), 0);
    assertThat(run.granted()).isEqualTo(40);
  }

  @Test
  void failsOnAnAcceptedRecordThatLeavesAHole() {
    run.apply(0, 0, TestingLog.started(info), 0);
    assertThatThrownBy(() -> run.apply(0, 7, TestingLog.grant("r-1", 1, 0, 5, 9), 0))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessage(
            "control log of run r-1: entry 1 does not continue after serial 0 (timeline 0, granted 0):"
                + " GRANTED from 5 to 9");
  }

  @Test
  void failsOnAGrantThatGoesBackOrGrantsNothing() {
    run.apply(0, 0, TestingLog.started(info), 0);
    for (long to : new long[] {0, -5, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> run.apply(0, 7, TestingLog.grant("r-1", 1, 0, 0, to), 0))
          .isInstanceOf(StreamCorruptException.class)
          .hasMessageEndingWith("GRANTED from 0 to " + to);
    }
    assertThat(run.granted()).isZero();
  }
}
