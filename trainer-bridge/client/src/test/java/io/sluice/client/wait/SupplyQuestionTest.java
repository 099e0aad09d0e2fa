package io.sluice.client.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.WaitCause;
import io.sluice.schema.RunStatus;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SupplyQuestionTest {
  private String waiting = "supply: domain java is behind";
  private int asked;
  private final SupplyQuestion question =
      new SupplyQuestion(
          () -> {
            asked++;
            return waiting.isEmpty() ? Optional.empty() : Optional.of(status(waiting));
          });

  private static RunStatus status(String waiting) {
    return RunStatus.newBuilder()
        .setRunId("r-1")
        .setRun("r")
        .setPhase("running")
        .setTimeline(0)
        .setGranted(1)
        .setProgress(1)
        .setWeightsVersion(1)
        .setWaiting(waiting)
        .setTimeMillis(1)
        .build();
  }

  private void waits(long batch, double seconds) {
    question.waits(batch, (long) (seconds * Duration.ofSeconds(1).toNanos()));
  }

  @Test
  void isAskedAfterASecondAndThenTheLessOftenTheLongerItLasts() {
    waits(2, 0.9);
    assertThat(asked).isZero();
    assertThat(question.lacks(2)).isFalse();
    for (int seconds = 1; seconds <= 100; seconds++) {
      waits(2, seconds);
    }
    assertThat(asked).as("at 1, 2, 4 … 64 s").isEqualTo(7);
    assertThat(question.lacks(2)).isTrue();
    assertThat(question.lacks(3)).isFalse();
  }

  @Test
  void theLastAnswerCountsAndNoneIsNone() {
    waits(2, 1);
    waiting = "round 1: waits for rank 0 of step 1";
    waits(2, 2);
    assertThat(question.lacks(2)).isFalse();
    waits(3, 1);
    waiting = "";
    waits(4, 1);
    assertThat(question.lacks(4)).isFalse();
  }

  @Test
  void onlyWhatWasNotGrantedWasForWantOfDocuments() {
    WaitMarks marks = new WaitMarks();
    marks.add(10, WaitCause.GRANT);
    marks.add(15, WaitCause.EMISSION);
    assertThat(marks.forSupply().between(0, 15))
        .isEqualTo(Map.of(WaitCause.SUPPLY, 10L, WaitCause.EMISSION, 5L));
  }
}
