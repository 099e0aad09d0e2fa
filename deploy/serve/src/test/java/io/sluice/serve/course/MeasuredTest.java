package io.sluice.serve.course;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.policy.Metrics;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.TrainerFeedback;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredTest {
  private static final List<String> DOMAINS = List.of("code", "wiki");

  private final Measured losses = new Measured(Metrics.EVAL_LOSS, 8);

  private static TrainerFeedback report(int timeline, long step, int rank, int ranks, double sum) {
    return TrainerFeedback.newBuilder()
        .setRunId("run.1")
        .setTimeline(timeline)
        .setTrainerStep(step)
        .setStep(step)
        .setAttempt("a" + timeline)
        .setRank(rank)
        .setWorldSize(ranks)
        .setMetric(Metrics.EVAL_LOSS)
        .setEntries(List.of(new DomainMeasure("wiki", sum, 2L), new DomainMeasure("gone", 9.0, 1L)))
        .setTimeMillis(0)
        .build();
  }

  @Test
  void ranksAreMergedAndAStepIsThereOnceAllHaveReported() {
    losses.offer(report(0, 10, 0, 2, 4), DOMAINS);
    assertThat(losses.standing(Lineage.start())).isEmpty();
    losses.offer(report(0, 10, 1, 2, 8), DOMAINS);
    losses.offer(report(0, 10, 1, 2, 800), DOMAINS);
    assertThat(losses.standing(Lineage.start()))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.batch()).isEqualTo(10);
              assertThat(row.values()).containsExactly(Float.NaN, 3);
            });
  }

  @Test
  void ofWhatWasRewoundTheTimelineThatOwnsABatchCountsWhateverOthersSay() {
    losses.offer(report(0, 10, 0, 1, 2), DOMAINS);
    losses.offer(report(0, 20, 0, 1, 4), DOMAINS);
    losses.offer(report(99, 10, 0, 1, 600), DOMAINS);
    losses.offer(report(1, 20, 0, 1, 6), DOMAINS);
    assertThat(losses.standing(Lineage.start()))
        .extracting(row -> row.values()[1])
        .containsExactly(1f, 2f);
    assertThat(losses.standing(Lineage.start().opened(1, 15)))
        .extracting(row -> row.values()[1])
        .containsExactly(1f, 3f);
  }

  @Test
  void theFirstAndTheNewestStayWhenThereIsTooMuch() {
    for (int step = 1; step <= 1000; step++) {
      losses.offer(report(0, step, 0, 1, step), DOMAINS);
    }
    List<Series.Row> kept = losses.standing(Lineage.start());
    assertThat(kept).hasSizeBetween(4, 8);
    assertThat(kept.get(0).batch()).isEqualTo(1);
    assertThat(kept.get(kept.size() - 1).batch()).isEqualTo(1000);
  }
}
