package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.topics.RunLog;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ControlRecord;
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
    grantThreeRounds(controller, false);
  }

  private static void grantThreeRounds(TestingController controller, boolean digests) {
    controller.command(TestingRuns.applyOwn(spec().build(), digests));
    settle(controller, 0);
    for (int round = 0; round < 3; round++) {
      controller.feedback(feedback(round * 10L, 4, 4));
      settle(controller, controller.log.size());
    }
    assertThat(controller.status().getGranted()).isEqualTo(30);
  }

  /** Sends and reads, the log being the run's own, until nothing more is proposed. */
  private static void settle(TestingController controller, int read) {
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
    settle(controller, 0);
    controller.pass(300);
    settle(controller, 3);
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
    settle(controller, 1);
    controller.pass(300);
    settle(controller, 3);
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

  /**
   * Another entry is where the current one was, and the consumer, which went on at the end that it
   * knew, is only shown what is based on it.
   */
  @Test
  void anEntryBasedOnOtherContentIsTakenForNoneAndEndsTheRun() {
    TestingController chained = new TestingController(new TestingLog(), "w");
    grantThreeRounds(chained, true);
    List<Long> offsets = chained.log.offsets();
    long last = offsets.get(offsets.size() - 1);
    ControlRecord current = chained.log.all().get(offsets.size() - 1);
    ControlRecord other =
        ControlRecord.newBuilder(current)
            .setSerial(current.getSerial() + 1)
            .setBasedOn(last)
            .setBasedOnDigest(77L)
            .build();
    long granted = chained.status().getGranted();
    chained.log.append(other);
    settle(chained, offsets.size());
    ControlRecord end = chained.log.all().get(offsets.size() + 1);
    assertThat(end.getSerial()).isEqualTo(current.getSerial() + 1);
    assertThat(((RunStateChanged) end.getBody()).getState()).isEqualTo("failed");
    assertThat(end.getWhy())
        .startsWith("the control log has lost its tail: entry " + current.getSerial())
        .endsWith(" is based on another one there, or forged");
    assertThat(chained.status().getPhase()).isEqualTo("failed");
    assertThat(chained.status().getGranted()).isEqualTo(granted);
    settle(chained, chained.log.size());
    assertThat(chained.log.size()).isEqualTo(offsets.size() + 2);
  }

  @Test
  void anEntryWithoutADigestIsNoneOfALogWithDigests() {
    TestingController chained = new TestingController(new TestingLog(), "w");
    grantThreeRounds(chained, true);
    chained.progress(progress(25));
    chained.feedback(feedback(30, 3, 3));
    ControlRecord next = chained.proposed.remove(0);
    ControlRecord bare = ControlRecord.newBuilder(next).setBasedOnDigest(null).build();
    chained.echo(bare, RunLog.OWN, chained.log.append(bare));
    assertThat(chained.status().getGranted()).isEqualTo(30);
    chained.pass(5_001);
    assertThat(chained.proposed.get(0).getBody()).isEqualTo(next.getBody());
    settle(chained, chained.log.size());
    assertThat(chained.status().getGranted()).isGreaterThan(30);
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
