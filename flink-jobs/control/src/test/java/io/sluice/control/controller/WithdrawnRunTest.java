package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.applyOwn;
import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.snapshot.SnapshotWriter;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import org.junit.jupiter.api.Test;

/** A deletion that is asked for while the start of the run is on its way, or lost. */
class WithdrawnRunTest {
  private final TestingController controller =
      new TestingController(new TestingLog(), "w", SnapshotWriter.EVERY);

  private void apply() {
    RunCommand asked = applyOwn(spec().build(), true);
    asked.setTimeMillis(controller.now);
    controller.command(asked);
  }

  /** The start that was proposed before the deletion was asked for. */
  private ControlRecord applyAndWithdraw() {
    apply();
    ControlRecord start = controller.proposed.get(0);
    controller.command(change("end", "deleted"));
    controller.pass(10_000);
    return start;
  }

  @Test
  void aStartThatIsNotReadBackSaysWhatMayBeMissing() {
    apply();
    controller.pass(60_000);
    int shown = controller.statuses.size();
    assertThat(controller.status().getPhase()).isEqualTo("starting");
    assertThat(controller.status().getWaiting())
        .isEqualTo(
            "control log: the start was sent again and not read back, there may be no topic"
                + " control."
                + TestingRuns.RUN);
    controller.pass(60_000);
    assertThat(controller.statuses).as("written once").hasSize(shown);
  }

  @Test
  void aStartThatIsOnItsWayIsWaitedForAndThenTheRunIsNotStartedAgain() {
    apply();
    controller.command(change("end", "deleted"));
    assertThat(controller.status().getPhase()).isEqualTo("starting");
    controller.pass(60_000);
    assertThat(controller.proposed).as("the start, once").hasSize(1);
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
    assertThat(controller.status().getWaiting()).isEqualTo("withdrawn before it was started");
    controller.pass(RunController.UNKNOWN_MILLIS);
    assertThat(controller.proposed).hasSize(1);
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void aRunWhoseLogIsGoneIsDeletedWheneverThatIsAsked() {
    apply();
    controller.pass(RunController.UNKNOWN_MILLIS);
    int sent = controller.proposed.size();
    controller.command(change("end", "deleted"));
    controller.pass(6_000);
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
    assertThat(controller.proposed).hasSizeLessThanOrEqualTo(sent + 1);
    assertThat(controller.store.load())
        .as("kept while the last start that was sent may still come")
        .doesNotContainKey("deleted");
    controller.pass(RunController.UNKNOWN_MILLIS);
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void aStartThatComesAfterItsRunWasWithdrawnIsEndedInTheLog() {
    ControlRecord start = applyAndWithdraw();
    controller.proposed.clear();
    controller.log.append(start);
    controller.echoAll();
    assertThat(controller.status().getPhase())
        .as("and people are not told otherwise")
        .isEqualTo("deleted");
    controller.settle();
    assertThat(controller.log.all().stream().map(ControlRecord::getBody))
        .satisfiesExactly(
            body -> assertThat(body).isInstanceOf(RunStarted.class),
            body ->
                assertThat(body)
                    .isInstanceOfSatisfying(
                        RunStateChanged.class,
                        end -> assertThat(end.getState()).isEqualTo("deleted")));
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void aStartThatComesThoughItsLogIsGoneAgainIsForgotten() {
    ControlRecord start = applyAndWithdraw();
    controller.log.append(start);
    controller.echoAll();
    controller.pass(RunController.UNKNOWN_MILLIS);
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void aLogThatComesLateStartsItsRun() {
    apply();
    controller.pass(60_000);
    controller.proposed.subList(0, controller.proposed.size() - 1).clear();
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("running");
    assertThat(controller.log.all()).hasSizeGreaterThan(1);
  }
}
