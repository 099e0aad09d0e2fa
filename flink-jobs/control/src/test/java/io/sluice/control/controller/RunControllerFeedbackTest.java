package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.DomainMeasure;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TrainerFeedback;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run's controller takes of what trainers say, and what it refuses. */
class RunControllerFeedbackTest {
  @Test
  void holdsReportsOfBatchesThatAreNotGrantedUntilTheyAre() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback("two", 20, 2, 1, 3, 4));
    controller.feedback(feedback("two", 20, 2, 0, 3, 4));
    controller.feedback(feedback("late", 20, 1, 0, 9, 9));
    controller.feedback(feedback(25, 3, 4));
    assertThat(controller.status().getRefusedFeedback()).isZero();
    controller.crash();
    controller.feedback(feedback(10, 3, 4));
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(30);
    MixtureGrant last = controller.log.grants().get(2);
    assertThat(last.getDecision().getAttempt()).isEqualTo("two");
    assertThat(controller.status().getRepeatedFeedback()).isEqualTo(1);
    assertRefused(
        controller, 1, "step 25, rank 0 of 1: feedback step must be a multiple of 10: 25");
  }

  @Test
  void keepsABoundedNumberOfReportsOfBatchesThatAreNotGranted() {
    TestingController controller = TestingController.started(spec().build());
    int before = controller.store.load().size();
    for (int i = 0; i < 5_000; i++) {
      controller.feedback(feedback(1_000 + 10 * i, 3, 4));
    }
    assertThat(controller.store.load()).hasSize(before + FeedbackStore.MAX_HELD);
    assertRefused(
        controller,
        5_000 - FeedbackStore.MAX_HELD,
        "step 10030, rank 0 of 1: more than 4096 reports are of batches that are not granted");
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(20);
    controller.command(change("c1", "stopped"));
    controller.settle();
    assertThat(controller.store.load()).hasSize(before);
  }

  @Test
  void refusesWhatCannotBeCountedAndShowsIt() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, Double.NaN, 3));
    assertRefused(
        controller, 1, "step 10, rank 0 of 1: feedback eval_loss of a must be finite: NaN");
    controller.feedback(with(10, new DomainMeasure("c", 1.0, 1L)));
    assertRefused(
        controller, 2, "step 10, rank 0 of 1: feedback domain must be one of [a, b]: 'c'");
    controller.feedback(with(10, new DomainMeasure("a", 1.0, 1L), new DomainMeasure("a", 1.0, 1L)));
    assertRefused(
        controller,
        3,
        "step 10, rank 0 of 1: feedback each domain must be measured once: 'a' is there twice");
    controller.feedback(feedback("two", 10, 2, 1, 3, 3));
    controller.feedback(feedback("two", 10, 2, 1, 1, 1));
    assertThat(controller.status().getRefusedFeedback()).isEqualTo(3);
    assertThat(controller.status().getRepeatedFeedback()).isEqualTo(1);
    assertThat(controller.status().getLastRepeated())
        .isEqualTo("step 10, rank 1 of 2: this rank of the attempt has reported already");
    controller.feedback(measuring("the step is decided"));
    assertRefused(
        controller,
        4,
        "step 0, rank 0 of 1: feedback metric must be one of [eval_loss]: 'the step is decided'");
    controller.feedback(feedback("x".repeat(70_000), 10, 1, 0, 3, 3));
    assertRefused(
        controller,
        5,
        "step 10, rank 0 of 1: feedback attempt must have 1 to 128 characters: 70000, '"
            + "x".repeat(79)
            + "…'");
    assertThat(controller.proposed).isEmpty();
    assertThat(controller.status().getWeightsVersion()).isEqualTo(1);
  }

  private static TrainerFeedback with(long step, DomainMeasure... entries) {
    return TrainerFeedback.newBuilder(feedback(step, 1, 1)).setEntries(List.of(entries)).build();
  }

  private static void assertRefused(TestingController controller, long count, String reason) {
    RunStatus status = controller.status();
    assertThat(status.getLastRefusal()).isEqualTo(reason);
    assertThat(status.getRefusedFeedback()).isEqualTo(count);
  }

  @Test
  void passesOverWhatOtherPoliciesWouldAskFor() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(measuring("gradient_norm"));
    controller.settle();
    assertThat(controller.status().getRefusedFeedback()).isZero();
    controller.feedback(measuring("mood"));
    assertThat(controller.status().getRefusedFeedback()).isEqualTo(1);
    assertThat(controller.status().getLastRefusal()).contains("metric must be one of [eval_loss]");
    controller.attached(RunControllerRevisionsTest.attached(0, 1, 0, "h-1", "eval_loss", "mood"));
    controller.feedback(measuring("mood"));
    controller.settle();
    assertThat(controller.status().getRefusedFeedback()).isEqualTo(1);
  }

  private static TrainerFeedback measuring(String metric) {
    return TrainerFeedback.newBuilder(feedback(0, 1, 1)).setMetric(metric).build();
  }

  @Test
  void keepsFeedbackThatComesBeforeTheRunsStart() {
    TestingController writer = TestingController.started(spec().build());
    TestingController late = new TestingController(writer.log, "late");
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
    TestingController writer = TestingController.started(spec().build());
    TestingController late = new TestingController(writer.log, "late");
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
    TestingController controller = TestingController.started(spec().setLead(4).build());
    assertThat(controller.status().getGranted()).isEqualTo(4);
    controller.progress(progress(1_000_000));
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(4);
    assertThat(controller.status().getProgress()).isZero();
    controller.progress(progress(3));
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(7);
    controller.progress(progress(-1));
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("progress must be at least 0 in timeline 0: -1 in 0");
  }

  @Test
  void staticRunsTakeNoFeedbackAndRefuseNone() {
    TestingController controller =
        TestingController.started(
            spec().setPolicy("static").setPolicySettings(Map.of()).setUpdateEvery(0).build());
    assertThat(controller.status().getGranted()).isEqualTo(256);
    controller.feedback(feedback(10, 3, 4));
    controller.progress(progress(128));
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(384);
    assertThat(controller.status().getRefusedFeedback()).isZero();
  }

  @Test
  void trainersThatFallSilentAreGrantedWhatTheLeadHas() {
    TestingController controller =
        TestingController.started(
            spec().setPolicy("static").setPolicySettings(Map.of()).setUpdateEvery(0).build());
    controller.progress(progress(10));
    controller.pass(9_000);
    assertThat(controller.status().getGranted()).isEqualTo(256);
    controller.pass(2_000);
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(266);
  }
}
