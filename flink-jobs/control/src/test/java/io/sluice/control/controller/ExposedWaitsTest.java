package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ExposedWait;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerProgress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the trainers' loops waited for, as the status shows it. */
final class ExposedWaitsTest {
  private static final ExposedWait NOTHING = waited(0, 0);

  private final TestingController controller = TestingController.started(spec().build());

  private static ExposedWait waited(long steps, long grant) {
    return new ExposedWait(steps, grant, 0L, 0L, 0L, 0L, 0L);
  }

  private static TrainerProgress says(int rank, ExposedWait waited) {
    return TrainerProgress.newBuilder(progress(1))
        .setWorldSize(2)
        .setRank(rank)
        .setExposed(waited)
        .build();
  }

  private void attach(int rank, String holder) {
    controller.pass(20_000);
    controller.attached(
        new TrainerAttached(
            TestingRuns.RUN, 0, 0L, 2, rank, 0, holder, "host", 4L, List.of("eval_loss"), 0L));
  }

  @Test
  void eachTrainersAreShownBesideItUntilAnotherProcessTakesTheRank() {
    attach(0, "h-1");
    attach(1, "h-2");
    controller.progress(says(1, waited(1000, 20)));
    controller.pass(20_000);
    assertThat(controller.status().getExposed()).containsExactly(NOTHING, waited(1000, 20));
    attach(1, "h-3");
    controller.pass(20_000);
    assertThat(controller.status().getExposed()).containsExactly(NOTHING, NOTHING);
  }

  @Test
  void newOnesAloneAreNoNewsForAWhile() {
    attach(0, "h-1");
    attach(1, "h-2");
    controller.pass(20_000);
    controller.progress(says(1, waited(1000, 20)));
    assertThat(controller.status().getExposed()).containsExactly(NOTHING, waited(1000, 20));
    int published = controller.statuses.size();
    controller.pass(1_000);
    controller.progress(says(1, waited(2000, 30)));
    assertThat(controller.status().getExposed()).containsExactly(NOTHING, waited(1000, 20));
    assertThat(controller.statuses).hasSize(published);
    controller.pass(20_000);
    assertThat(controller.status().getExposed()).containsExactly(NOTHING, waited(2000, 30));
  }

  @Test
  void timesThatNoLoopCanHaveWaitedAreRefused() {
    attach(0, "h-1");
    attach(1, "h-2");
    controller.progress(says(1, waited(10, -1)));
    assertThat(controller.status().getLastRefusal())
        .startsWith("progress exposed waits must be in [0, stepMillis], with their sum")
        .contains("\"grantMillis\": -1");
    controller.progress(says(1, waited(10, 11)));
    controller.progress(says(1, waited(Long.MAX_VALUE, 11)));
    controller.progress(says(1, new ExposedWait(10L, 6L, 5L, 0L, 0L, 0L, 0L)));
    assertThat(controller.status().getRefusedFeedback()).isEqualTo(4);
    assertThat(controller.status().getExposed()).containsExactly(NOTHING, NOTHING);
  }
}
