package io.sluice.jobs.mix.reweight;

import static io.sluice.jobs.mix.reweight.TestingRuns.apply;
import static io.sluice.jobs.mix.reweight.TestingRuns.change;
import static io.sluice.jobs.mix.reweight.TestingRuns.feedback;
import static io.sluice.jobs.mix.reweight.TestingRuns.progress;
import static io.sluice.jobs.mix.reweight.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RoundDecision;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TrainerFeedback;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunDeskTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 3})
  void grantsEachRoundFromExactlyItsStepPlusLagPlusOne(long lag) {
    TestingDesk desk = TestingDesk.started(spec().setLag(lag).setBatches(40).build());
    assertThat(desk.status().getGranted()).isEqualTo(10 + lag);
    desk.feedback(feedback(0, 4, 4));
    for (long step = 10; step <= 30; step += 10) {
      desk.progress(progress(step));
      desk.settle();
      assertThat(desk.status().getGranted()).isEqualTo(step + lag);
      assertThat(desk.status().getWaiting()).contains("waits for eval_loss of step " + step);
      desk.feedback(feedback(step, 4 - step * 0.05, 4));
      desk.settle();
    }
    List<MixtureGrant> closing =
        desk.log.grants().stream().filter(g -> g.getDecision() != null).toList();
    assertThat(closing).hasSize(3);
    for (MixtureGrant grant : closing) {
      RoundDecision decision = grant.getDecision();
      assertThat(grant.getAfter() + 1).isEqualTo(decision.getStep() + lag + 1);
      assertThat(decision.getAttempt()).isEqualTo("attempt-" + decision.getStep());
    }
    assertThat(closing.get(2).getDecision().getWeights().get(1))
        .isGreaterThan(closing.get(0).getDecision().getWeights().get(1));
    assertThat(closing.stream().map(MixtureGrant::getWeightsVersion)).containsExactly(2, 3, 4);
    assertThat(desk.status().getPhase()).isEqualTo("completed");
    assertThat(desk.status().getGranted()).isEqualTo(40);
  }

  @Test
  void startsARunWithItsWholeSpecification() {
    TestingDesk desk = new TestingDesk(new TestingLog(), "w");
    desk.command(apply(spec().build()));
    ControlRecord start = desk.proposed.get(0);
    assertThat(start.getSerial()).isZero();
    assertThat(start.getBasedOn()).isEqualTo(-1);
    assertThat(start.getWriter()).isEqualTo("w");
    assertThat(((RunStarted) start.getBody()).getSpec()).isEqualTo(spec().build());
    assertThat(((RunStarted) start.getBody()).getStreamTopicId()).isEqualTo(TestingRuns.STREAM);
    assertThat(desk.status().getPhase()).isEqualTo("starting");
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo("running");
    assertThat(desk.status().getRun()).isEqualTo("velo");
  }

  @Test
  void failsARunWithABadSpecificationWithoutTouchingTheLog() {
    TestingDesk desk = new TestingDesk(new TestingLog(), "w");
    desk.command(apply(spec().setUpdateEvery(0).build()));
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo("failed");
    assertThat(desk.status().getWaiting())
        .isEqualTo("policy.every must be at least 1 for velocitune: 0");
    assertThat(desk.log.size()).isZero();
    desk.command(apply(spec().build()));
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo("running");
  }

  @Test
  void takesTheSameSpecificationTwiceAndRefusesAnother() {
    TestingDesk desk = TestingDesk.started(spec().build());
    int before = desk.log.size();
    desk.command(apply(spec().build()));
    assertThat(desk.status().getLastRefusal()).isEmpty();
    desk.command(apply(spec().setSeed(43).build()));
    assertThat(desk.status().getLastRefusal())
        .contains("has another specification already; a changed one is a new run");
    desk.settle();
    assertThat(desk.log.size()).isEqualTo(before);
  }

  @Test
  void logsCommandsAndObeysTheLog() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.command(change("c1", "paused"));
    assertThat(desk.status().getPhase()).isEqualTo("running");
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo("paused");
    assertThat(desk.status().getWaiting()).isEqualTo("paused: waits for `resume`");
    desk.command(change("c1", "paused"));
    desk.command(change("c2", "completed"));
    assertThat(desk.proposed).isEmpty();
    assertThat(desk.status().getLastRefusal())
        .isEqualTo(
            "command c2: state must be one of [running, paused, stopped, failed, deleted]:"
                + " 'completed'");
    desk.command(change("c3", "running"));
    desk.command(change("c4", "stopped"));
    desk.settle();
    assertThat(
            desk.log.all().stream()
                .map(ControlRecord::getBody)
                .filter(RunStateChanged.class::isInstance)
                .map(body -> ((RunStateChanged) body).getCommandId()))
        .containsExactly("c1", "c3", "c4");
    desk.command(change("c5", "running"));
    assertThat(desk.status().getLastRefusal())
        .isEqualTo("command c5: the run has ended: it is stopped");
  }

  @ParameterizedTest
  @ValueSource(strings = {"completed", "stopped", "failed"})
  void deletesARunThatHasEndedAndKeepsNothingButAMark(String end) {
    TestingDesk desk = TestingDesk.started(spec().setBatches(10).build());
    if (end.equals("completed")) {
      desk.feedback(feedback(0, 4, 4));
    } else {
      desk = TestingDesk.started(spec().build());
      desk.command(change("c1", end));
    }
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo(end);
    desk.command(change("c2", "paused"));
    assertThat(desk.status().getLastRefusal())
        .isEqualTo("command c2: the run has ended: it is " + end);
    desk.command(change("c3", "deleted"));
    desk.crash();
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo("deleted");
    assertThat(desk.status().getWaiting()).isEmpty();
    assertThat(desk.store.load()).containsOnlyKeys("deleted");
    int logged = desk.log.size();
    int shown = desk.statuses.size();
    for (int again = 0; again < 2; again++) {
      desk.command(apply(spec().setBatches(10).build()));
      desk.command(change("c4", "deleted"));
      desk.feedback(feedback(10, 4, 4));
      desk.progress(progress(10));
      desk.crash();
    }
    desk.settle();
    assertThat(desk.log.size()).isEqualTo(logged);
    assertThat(desk.statuses).hasSize(shown);
    assertThat(desk.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void failsARunThatAPartOfTheJobCannotGoOnWithAndSaysWhy() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.command(change("f1", "failed"));
    desk.command(change("f2", "failed"));
    assertThat(desk.status().getPhase()).isEqualTo("running");
    desk.settle();
    desk.crash();
    desk.command(change("f1", "failed"));
    desk.command(change("f3", "failed"));
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo("failed");
    assertThat(desk.status().getWaiting()).isEqualTo("somebody asked");
    assertThat(desk.status().getLastRefusal()).isEmpty();
    assertThat(
            desk.log.all().stream()
                .map(ControlRecord::getBody)
                .filter(RunStateChanged.class::isInstance))
        .containsExactly(new RunStateChanged("failed", "f1", false));
  }

  @Test
  void holdsReportsOfBatchesThatAreNotGrantedUntilTheyAre() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback("two", 20, 2, 1, 3, 4));
    desk.feedback(feedback("two", 20, 2, 0, 3, 4));
    desk.feedback(feedback("late", 20, 1, 0, 9, 9));
    desk.feedback(feedback(25, 3, 4));
    assertThat(desk.status().getRefusedFeedback()).isZero();
    desk.crash();
    desk.feedback(feedback(10, 3, 4));
    desk.settle();
    assertThat(desk.status().getGranted()).isEqualTo(30);
    MixtureGrant last = desk.log.grants().get(2);
    assertThat(last.getDecision().getAttempt()).isEqualTo("two");
    assertRefused(desk, 2, "step 25, rank 0 of 1: feedback step must be a multiple of 10: 25");
  }

  @Test
  void keepsABoundedNumberOfReportsOfBatchesThatAreNotGranted() {
    TestingDesk desk = TestingDesk.started(spec().build());
    int before = desk.store.load().size();
    for (int i = 0; i < 5_000; i++) {
      desk.feedback(feedback(1_000 + 10 * i, 3, 4));
    }
    assertThat(desk.store.load()).hasSize(before + FeedbackBook.MAX_HELD);
    assertRefused(
        desk,
        5_000 - FeedbackBook.MAX_HELD,
        "step 10030, rank 0 of 1: more than 4096 reports are of batches that are not granted");
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, 3, 4));
    desk.settle();
    assertThat(desk.status().getGranted()).isEqualTo(20);
    desk.command(change("c1", "stopped"));
    desk.settle();
    assertThat(desk.store.load()).hasSize(before);
  }

  @Test
  void refusesWhatCannotBeCountedAndShowsIt() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, Double.NaN, 3));
    assertRefused(desk, 1, "step 10, rank 0 of 1: feedback eval_loss of a must be finite: NaN");
    desk.feedback(with(10, new DomainMeasure("c", 1.0, 1L)));
    assertRefused(desk, 2, "step 10, rank 0 of 1: feedback domain must be one of [a, b]: 'c'");
    desk.feedback(with(10, new DomainMeasure("a", 1.0, 1L), new DomainMeasure("a", 1.0, 1L)));
    assertRefused(
        desk,
        3,
        "step 10, rank 0 of 1: feedback each domain must be measured once: 'a' is there twice");
    desk.feedback(feedback("two", 10, 2, 1, 3, 3));
    desk.feedback(feedback("two", 10, 2, 1, 1, 1));
    assertRefused(desk, 4, "step 10, rank 1 of 2: this rank of the attempt has reported already");
    desk.feedback(feedback("x".repeat(70_000), 10, 1, 0, 3, 3));
    assertRefused(
        desk, 5, "step 10, rank 0 of 1: feedback attempt must have 1 to 128 characters: 70000");
    assertThat(desk.proposed).isEmpty();
    assertThat(desk.status().getWeightsVersion()).isEqualTo(1);
  }

  private static TrainerFeedback with(long step, DomainMeasure... entries) {
    return TrainerFeedback.newBuilder(feedback(step, 1, 1)).setEntries(List.of(entries)).build();
  }

  private static void assertRefused(TestingDesk desk, long count, String reason) {
    RunStatus status = desk.status();
    assertThat(status.getLastRefusal()).isEqualTo(reason);
    assertThat(status.getRefusedFeedback()).isEqualTo(count);
  }

  @Test
  void passesOverWhatOtherPoliciesWouldAskFor() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(measuring("gradient_norm"));
    desk.settle();
    assertThat(desk.status().getRefusedFeedback()).isZero();
    desk.feedback(measuring("mood"));
    assertThat(desk.status().getRefusedFeedback()).isEqualTo(1);
    assertThat(desk.status().getLastRefusal()).contains("metric must be one of [eval_loss]");
  }

  private static TrainerFeedback measuring(String metric) {
    return TrainerFeedback.newBuilder(feedback(0, 1, 1)).setMetric(metric).build();
  }

  @Test
  void keepsFeedbackThatComesBeforeTheRunsStart() {
    TestingDesk writer = TestingDesk.started(spec().build());
    TestingDesk late = new TestingDesk(writer.log, "late");
    late.feedback(feedback(0, 4, 4));
    late.feedback(feedback(10, 3, 4));
    late.progress(progress(10));
    assertThat(late.statuses).isEmpty();
    late.crash();
    late.settle();
    assertThat(late.status().getGranted()).isEqualTo(20);
    assertThat(late.status().getProgress()).isEqualTo(10);
    assertThat(late.status().getRefusedFeedback()).isZero();
  }

  @Test
  void forgetsTheOldestOfTooMuchEarlyFeedback() {
    TestingDesk writer = TestingDesk.started(spec().build());
    TestingDesk late = new TestingDesk(writer.log, "late");
    for (int i = 0; i < 4096; i++) {
      late.feedback(feedback(1_000 + 10 * i, 3, 4));
    }
    late.feedback(feedback(0, 4, 4));
    late.feedback(feedback(10, 3, 4));
    late.echoAll();
    assertThat(late.status().getGranted()).isEqualTo(10);
    late.settle();
    assertThat(late.status().getGranted()).isEqualTo(20);
    assertThat(late.status().getRefusedFeedback()).isEqualTo(2);
  }

  @Test
  void countsProgressOnlyAsFarAsIsGranted() {
    TestingDesk desk = TestingDesk.started(spec().setLead(4).build());
    assertThat(desk.status().getGranted()).isEqualTo(4);
    desk.progress(progress(1_000_000));
    desk.settle();
    assertThat(desk.status().getGranted()).isEqualTo(4);
    assertThat(desk.status().getProgress()).isZero();
    desk.progress(progress(3));
    desk.settle();
    assertThat(desk.status().getGranted()).isEqualTo(7);
    desk.progress(progress(-1));
    assertThat(desk.status().getLastRefusal())
        .isEqualTo("progress must be at least 0 in timeline 0: -1 in 0");
  }

  @Test
  void waitsForSupplyAndGoesOnWhenItGrows() {
    TestingDesk desk = new TestingDesk(new TestingLog(), "w");
    desk.supply = new SupplyBook();
    desk.crash();
    desk.command(apply(spec().build()));
    desk.settle();
    assertThat(desk.status().getWaiting())
        .isEqualTo("domain a is behind: batch 1 needs 4 blocks, 0 are ready");
    desk.supply("a", 8, false);
    desk.supply("b", 100, false);
    desk.settle();
    assertThat(desk.status().getGranted()).isEqualTo(2);
  }

  @Test
  void aBrokenLogFailsTheRunAndItsEventsAreIgnored() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, 3, 4));
    ControlRecord next = desk.proposed.get(0);
    MixtureGrant wrong = (MixtureGrant) next.getBody();
    wrong.setCounts(wrong.getCounts().stream().map(count -> 4).toList());
    desk.proposed.clear();
    desk.log.append(next);
    desk.echoAll();
    assertThat(desk.status().getPhase()).isEqualTo("failed");
    assertThat(desk.status().getWaiting())
        .startsWith("control log at offset 11: the plan gives counts");
    int shown = desk.statuses.size();
    desk.crash();
    desk.progress(progress(5));
    desk.command(change("c1", "stopped"));
    desk.pass(10_000);
    assertThat(desk.proposed).isEmpty();
    assertThat(desk.statuses).hasSize(shown);
    assertThat(desk.statuses.get(shown - 1).getGranted()).isEqualTo(10);
  }

  @Test
  void showsStatusOnChangeOnlyAndNotMoreThanFiveTimesASecond() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.pass(60_000);
    int before = desk.statuses.size();
    desk.pass(60_000);
    assertThat(desk.statuses).hasSize(before);
    for (int batch = 1; batch <= 10; batch++) {
      desk.progress(progress(batch));
      desk.pass(20);
    }
    desk.pass(1_000);
    assertThat(desk.statuses.size() - before).isBetween(2, 3);
    assertThat(desk.statuses.get(desk.statuses.size() - 1).getProgress()).isEqualTo(10);
  }

  @Test
  void staticRunsTakeNoFeedbackAndRefuseNone() {
    TestingDesk desk =
        TestingDesk.started(
            spec().setPolicy("static").setPolicySettings(Map.of()).setUpdateEvery(0).build());
    assertThat(desk.status().getGranted()).isEqualTo(256);
    desk.feedback(feedback(10, 3, 4));
    desk.progress(progress(10));
    desk.settle();
    assertThat(desk.status().getGranted()).isEqualTo(266);
    assertThat(desk.status().getRefusedFeedback()).isZero();
  }

  @Test
  void restoresAsIfNeverStopped() {
    TestingDesk straight = TestingDesk.started(spec().setLag(2).build());
    TestingDesk crashing = TestingDesk.started(spec().setLag(2).build());
    for (TestingDesk desk : List.of(straight, crashing)) {
      desk.feedback(feedback(0, 4, 3));
      for (long step = 10; step <= 50; step += 10) {
        desk.feedback(feedback("s" + step, step, 2, 1, 4 - step * 0.04, 3));
        if (desk == crashing) {
          desk.crash();
        }
        desk.feedback(feedback("s" + step, step, 2, 0, 4, 3 - step * 0.01));
        if (desk == crashing) {
          desk.crash();
        }
        desk.settle();
      }
    }
    assertThat(crashing.log.grants()).hasSize(6).isEqualTo(straight.log.grants());
  }
}
