package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.apply;
import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunStateChanged;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A start without state reads every command that was ever asked, and answers none again. */
class OldCommandsTest {
  /** More than a fold remembers to have answered. */
  private static final int ASKED = 1_100;

  private static final long RESTARTED = 100_000;

  private final TestingController before = TestingController.started(spec().build());
  private final List<RunCommand> asked = new ArrayList<>();
  private TestingController again;

  @BeforeEach
  void pausesAndResumesAllTheTime() {
    for (int n = 0; n < ASKED; n++) {
      RunCommand command = change("c" + n, n % 2 == 0 ? "paused" : "running");
      asked.add(command);
      before.command(command);
      before.settle();
    }
    assertThat(before.status().getPhase()).isEqualTo("running");
    again = new TestingController(before.log, "again");
    again.openAt(RESTARTED);
  }

  @Test
  void commandsThatAreReadAfterTheLog() {
    again.echoAll();
    asked.forEach(again::command);
    assertStaysAsItIs();
  }

  @Test
  void commandsThatAreReadBeforeTheLog() {
    asked.forEach(again::command);
    again.echoAll();
    assertStaysAsItIs();
  }

  @Test
  void commandsThatAreReadAgainAfterTheLogWasKept() {
    again.restore(before.checkpoint());
    asked.forEach(again::command);
    assertStaysAsItIs();
  }

  @Test
  void whatNobodyHasAnsweredYetIsAnswered() {
    again.echoAll();
    asked.forEach(again::command);
    again.command(change("new", "paused"));
    again.pass(2_000);
    assertThat(again.proposed.stream().map(ControlRecord::getBody))
        .singleElement()
        .isInstanceOfSatisfying(
            RunStateChanged.class, body -> assertThat(body.getCommandId()).isEqualTo("new"));
  }

  @Test
  void whatWaitedWhenTheJobEndedIsAnsweredInOrder() {
    again.echoAll();
    asked.forEach(again::command);
    again.command(change("new", "paused"));
    again.command(change("newer", "stopped"));
    again.pass(2_000);
    again.settle();
    again.pass(2_000);
    again.settle();
    assertThat(
            again.log.all().stream()
                .map(ControlRecord::getBody)
                .filter(RunStateChanged.class::isInstance)
                .map(body -> ((RunStateChanged) body).getCommandId())
                .skip(ASKED))
        .containsExactly("new", "newer");
  }

  private void assertStaysAsItIs() {
    int logged = again.log.size();
    again.pass(2_000);
    again.settle();
    assertThat(again.log.size()).isEqualTo(logged);
    assertThat(again.status().getPhase()).isEqualTo("running");
  }

  @Test
  void aRunIsNotStartedWhileTheLogsOfOthersAreRead() {
    again.command(apply(spec().build()));
    for (int records = 0; records < 10; records++) {
      again.pass(LogCatchUp.QUIET_MILLIS - 1);
      again.logs.readOld(again.now);
    }
    again.pass(LogCatchUp.QUIET_MILLIS - 1);
    assertThat(again.proposed).isEmpty();
    again.pass(1);
    assertThat(again.proposed).hasSize(1);
  }

  private void askForOthers(int runs) {
    for (int i = 0; i < runs; i++) {
      again.logs.read(apply(spec().build()), RESTARTED, again.now);
    }
  }

  @Test
  void whereManyRunsWereAskedForTheirLogsHaveLongerPauses() {
    askForOthers(299);
    again.command(apply(spec().build()));
    again.pass(1_499);
    again.logs.readOld(again.now);
    again.pass(1_499);
    assertThat(again.proposed).isEmpty();
    again.pass(1);
    assertThat(again.proposed).hasSize(1);
  }

  @Test
  void howeverManyWereAskedForARunIsStartedInTheEnd() {
    askForOthers(100_000);
    again.command(apply(spec().build()));
    again.pass(5_000);
    assertThat(again.proposed).hasSize(1);
  }

  @Test
  void aRunThatIsAskedForNowIsStartedWhileOldLogsAreRead() {
    again.logs.readOld(again.now);
    RunCommand asked = apply(spec().build());
    asked.setTimeMillis(again.now);
    again.command(asked);
    assertThat(again.proposed).hasSize(1);
  }

  @Test
  void nothingIsSaidOfARunOfWhichOnlyACommandIsKnown() {
    again.command(change("late", "deleted"));
    again.pass(2_000);
    assertThat(again.statuses).isEmpty();
    again.echoAll();
    again.pass(2_000);
    again.settle();
    assertThat(again.status().getPhase()).isEqualTo("deleted");
  }

  @Test
  void whatARunThatHasEndedIsAskedBeforeItsLogIsReadIsRefusedLikewise() {
    before.command(change("end", "stopped"));
    before.settle();
    again.command(change("late", "paused"));
    again.echoAll();
    again.pass(2_000);
    assertThat(again.proposed).isEmpty();
    assertThat(again.status().getPhase()).isEqualTo("stopped");
    assertThat(again.status().getLastRefusal())
        .isEqualTo("command late: the run has ended: it is stopped");
  }
}
