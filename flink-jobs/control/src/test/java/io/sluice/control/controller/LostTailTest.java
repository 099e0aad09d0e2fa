package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.RUN;
import static io.sluice.control.controller.TestingRuns.STREAM;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.topics.RunLog;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunStateChanged;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run's own log loses entries that were read. */
class LostTailTest {
  private final TestingController controller = new TestingController(new TestingLog(), "w");

  @BeforeEach
  void grantThreeRounds() {
    controller.command(
        new RunCommand("apply", RUN, 0L, new ApplyRun(spec().build(), STREAM, null, true)));
    settle(0);
    for (int round = 0; round < 3; round++) {
      controller.feedback(feedback(round * 10L, 4, 4));
      settle(controller.log.size());
    }
    assertThat(controller.status().getGranted()).isEqualTo(30);
  }

  /** Sends and reads, the log being the run's own, until nothing more is proposed. */
  private void settle(int read) {
    int next = read;
    do {
      controller.send();
      List<Long> offsets = controller.log.offsets();
      for (; next < offsets.size(); next++) {
        controller.echo(controller.log.all().get(next), RunLog.OWN, offsets.get(next));
      }
    } while (!controller.proposed.isEmpty());
  }

  @Test
  void theRunIsRebuiltFromTheRestAndFailsThere() {
    controller.log.cut(3);
    long granted = controller.log.grants().get(controller.log.grants().size() - 1).getTo();
    assertThat(granted).isLessThan(30);
    settle(0);
    controller.pass(300);
    settle(3);
    ControlRecord last = controller.log.all().get(3);
    assertThat(last.getSerial()).isEqualTo(3);
    assertThat(((RunStateChanged) last.getBody()).getState()).isEqualTo("failed");
    assertThat(last.getWhy())
        .startsWith("the control log has lost its tail: entry ")
        .contains("which grants to batch 30,")
        .endsWith(", and offset 5 is read after it");
    assertThat(controller.log.state().phase()).isEqualTo(RunPhase.FAILED);
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting()).isEqualTo(last.getWhy());
    assertThat(controller.status().getGranted()).isEqualTo(granted);
  }

  @Test
  void theRebuiltRunSurvivesACrash() {
    controller.log.cut(3);
    controller.echo(controller.log.all().get(0), RunLog.OWN, controller.log.offsets().get(0));
    controller.crash();
    settle(1);
    controller.pass(300);
    settle(3);
    assertThat(controller.log.state().phase()).isEqualTo(RunPhase.FAILED);
  }

  @Test
  void aLogThatIsNotReadFromItsStartAgainBreaksTheRun() {
    controller.progress(progress(25));
    controller.feedback(feedback(30, 3, 3));
    ControlRecord next = controller.proposed.get(0);
    controller.log.cut(3);
    controller.echo(next, RunLog.OWN, controller.log.append(next));
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting())
        .startsWith("the control log has lost its tail: entry ")
        .endsWith(", and offset 14 is read after it");
    assertThat(controller.proposed).containsExactly(next);
  }

  @Test
  void anEntryThatFollowsAnotherOneThanWasReadBreaksTheRun() {
    List<Long> offsets = controller.log.offsets();
    long last = offsets.get(offsets.size() - 1);
    ControlRecord other =
        ControlRecord.newBuilder(controller.log.all().get(offsets.size() - 1))
            .setSerial(77)
            .setBasedOn(last)
            .build();
    controller.echo(other, RunLog.OWN, last + 1);
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting()).endsWith("and entry 77 is said to follow it");
  }

  @Test
  void aRunOfTheSharedLogReadsItAgainUnharmed() {
    TestingController shared = TestingController.started(spec().build());
    shared.feedback(feedback(0, 4, 4));
    shared.settle();
    Map.Entry<Long, byte[]> first = shared.log.after(-1);
    shared.echo(shared.log.all().get(0), first.getKey());
    assertThat(shared.status().getPhase()).isEqualTo("running");
    assertThat(shared.status().getIgnoredControl()).isEqualTo(1);
  }
}
