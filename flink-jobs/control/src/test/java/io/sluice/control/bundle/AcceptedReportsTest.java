package io.sluice.control.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.controller.TestingRuns;
import io.sluice.schema.TrainerFeedback;
import org.junit.jupiter.api.Test;

class AcceptedReportsTest {
  private final AcceptedReports reports = new AcceptedReports();

  @Test
  void keepsTheAttemptThatWasCompleteFirst() {
    TrainerFeedback alone = taken("broken-off", 10, 2, 0);
    TrainerFeedback first = taken("whole", 10, 2, 1);
    TrainerFeedback repeated = taken("whole", 10, 2, 1);
    TrainerFeedback second = taken("whole", 10, 2, 0);
    TrainerFeedback late = taken("broken-off", 10, 2, 1);
    assertThat(reports.accepted()).containsExactly(first, second);
    assertThat(repeated).isEqualTo(first);
    assertThat(reports.accepted()).doesNotContain(alone, late);
  }

  @Test
  void keepsStepsAndTimelinesApartInTheirOrder() {
    TrainerFeedback later = taken("b", 20, 1, 0);
    TrainerFeedback earlier = taken("a", 10, 1, 0);
    TrainerFeedback rewound =
        TrainerFeedback.newBuilder(TestingRuns.feedback("c", 20, 1, 0, 2, 3))
            .setTimeline(1)
            .build();
    reports.take(rewound);
    assertThat(reports.accepted()).containsExactly(later, earlier, rewound);
  }

  @Test
  void leavesOutRanksThatCannotBe() {
    taken("a", 10, 1, 1);
    taken("b", 10, 1, -1);
    assertThat(reports.accepted()).isEmpty();
  }

  private TrainerFeedback taken(String attempt, long step, int worldSize, int rank) {
    TrainerFeedback report = TestingRuns.feedback(attempt, step, worldSize, rank, 2, 3);
    reports.take(report);
    return report;
  }
}
