package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.apply;
import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.supply.SupplyIndex;
import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.CommandWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RoundDecision;
import io.sluice.schema.RowLength;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunControllerTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 3})
  void grantsEachRoundFromExactlyItsStepPlusLagPlusOne(long lag) {
    TestingController controller =
        TestingController.started(spec().setLag(lag).setBatches(40).build());
    assertThat(controller.status().getGranted()).isEqualTo(10 + lag);
    controller.feedback(feedback(0, 4, 4));
    for (long step = 10; step <= 30; step += 10) {
      controller.progress(progress(step));
      controller.settle();
      assertThat(controller.status().getGranted()).isEqualTo(step + lag);
      assertThat(controller.status().getWaiting()).contains("waits for eval_loss of step " + step);
      controller.feedback(feedback(step, 4 - step * 0.05, 4));
      controller.settle();
    }
    List<MixtureGrant> closing =
        controller.log.grants().stream().filter(g -> g.getDecision() != null).toList();
    assertThat(closing).hasSize(3);
    for (MixtureGrant grant : closing) {
      RoundDecision decision = grant.getDecision();
      assertThat(grant.getAfter() + 1).isEqualTo(decision.getStep() + lag + 1);
      assertThat(decision.getAttempt()).isEqualTo("attempt-" + decision.getStep());
    }
    assertThat(closing.get(2).getDecision().getWeights().get(1))
        .isGreaterThan(closing.get(0).getDecision().getWeights().get(1));
    assertThat(closing.stream().map(MixtureGrant::getWeightsVersion)).containsExactly(2, 3, 4);
    assertThat(controller.status().getPhase()).isEqualTo("completed");
    assertThat(controller.status().getGranted()).isEqualTo(40);
  }

  @Test
  void startsARunWithItsWholeSpecification() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(apply(spec().build()));
    ControlRecord start = controller.proposed.get(0);
    assertThat(start.getSerial()).isZero();
    assertThat(start.getBasedOn()).isEqualTo(-1);
    assertThat(start.getWriter()).isEqualTo("w");
    assertThat(((RunStarted) start.getBody()).getSpec())
        .isEqualTo(RunSpecs.complete(spec().build()));
    assertThat(((RunStarted) start.getBody()).getStreamTopicId()).isEqualTo(TestingRuns.STREAM);
    assertThat(controller.status().getPhase()).isEqualTo("starting");
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("running");
    assertThat(controller.status().getRun()).isEqualTo("velo");
  }

  @Test
  void failsARunWithABadSpecificationWithoutTouchingTheLog() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(apply(spec().setUpdateEvery(0).build()));
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting())
        .isEqualTo("policy.every must be at least 1 for velocitune: 0");
    assertThat(controller.log.size()).isZero();
    controller.command(apply(spec().build()));
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("running");
  }

  @Test
  void takesTheSameSpecificationTwiceAndRefusesAnother() {
    TestingController controller = TestingController.started(spec().build());
    int before = controller.log.size();
    controller.command(apply(spec().build()));
    assertThat(controller.status().getLastRefusal()).isEmpty();
    controller.command(apply(spec().setSeed(43).build()));
    assertThat(controller.status().getLastRefusal())
        .contains("has another specification already; a changed one is a new run");
    controller.settle();
    assertThat(controller.log.size()).isEqualTo(before);
  }

  @Test
  void logsCommandsAndObeysTheLog() {
    TestingController controller = TestingController.started(spec().build());
    controller.command(change("c1", "paused"));
    assertThat(controller.status().getPhase()).isEqualTo("running");
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("paused");
    assertThat(controller.status().getWaiting()).isEqualTo("paused: waits for `resume`");
    controller.command(change("c1", "paused"));
    controller.command(change("c2", "completed"));
    assertThat(controller.proposed).isEmpty();
    assertThat(controller.status().getLastRefusal())
        .isEqualTo(
            "command c2: state must be one of [running, paused, stopped, failed, deleted]:"
                + " 'completed'");
    controller.command(change("c3", "running"));
    controller.command(change("c4", "stopped"));
    controller.settle();
    assertThat(
            controller.log.all().stream()
                .map(ControlRecord::getBody)
                .filter(RunStateChanged.class::isInstance)
                .map(body -> ((RunStateChanged) body).getCommandId()))
        .containsExactly("c1", "c3", "c4");
    controller.command(change("c5", "running"));
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("command c5: the run has ended: it is stopped");
  }

  @ParameterizedTest
  @ValueSource(strings = {"completed", "stopped"})
  void aRunWhoseLastBatchesCannotComeFailsAfterItsEnd(String end) {
    long batches = end.equals("completed") ? 10 : 0;
    TestingController controller = TestingController.started(spec().setBatches(batches).build());
    if (end.equals("completed")) {
      controller.feedback(feedback(0, 4, 4));
    } else {
      controller.command(change("c1", end));
    }
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo(end);
    controller.command(CommandWire.failure(TestingRuns.RUN, "ordinal 3 is missing", 0));
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting()).isEqualTo("ordinal 3 is missing");
    int logged = controller.log.size();
    controller.command(CommandWire.failure(TestingRuns.RUN, "ordinal 3 is missing", 0));
    controller.command(change("c2", "failed"));
    controller.settle();
    assertThat(controller.log.size()).isEqualTo(logged);
  }

  @ParameterizedTest
  @ValueSource(strings = {"completed", "stopped", "failed"})
  void deletesARunThatHasEndedAndKeepsNothingButAMark(String end) {
    TestingController controller = TestingController.started(spec().setBatches(10).build());
    if (end.equals("completed")) {
      controller.feedback(feedback(0, 4, 4));
    } else {
      controller = TestingController.started(spec().build());
      controller.command(change("c1", end));
    }
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo(end);
    controller.command(change("c2", "paused"));
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("command c2: the run has ended: it is " + end);
    controller.command(change("c3", "deleted"));
    controller.crash();
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
    assertThat(controller.status().getWaiting()).isEmpty();
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
    int logged = controller.log.size();
    int shown = controller.statuses.size();
    for (int again = 0; again < 2; again++) {
      controller.command(apply(spec().setBatches(10).build()));
      controller.command(change("c4", "deleted"));
      controller.feedback(feedback(10, 4, 4));
      controller.progress(progress(10));
      controller.crash();
    }
    controller.settle();
    assertThat(controller.log.size()).isEqualTo(logged);
    assertThat(controller.statuses).hasSize(shown);
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void failsARunThatAPartOfTheJobCannotGoOnWithAndSaysWhy() {
    TestingController controller = TestingController.started(spec().build());
    controller.command(change("f1", "failed"));
    controller.command(change("f2", "failed"));
    assertThat(controller.status().getPhase()).isEqualTo("running");
    controller.settle();
    controller.crash();
    controller.command(change("f1", "failed"));
    controller.command(change("f3", "failed"));
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting()).isEqualTo("somebody asked");
    assertThat(controller.status().getLastRefusal()).isEmpty();
    assertThat(
            controller.log.all().stream()
                .map(ControlRecord::getBody)
                .filter(RunStateChanged.class::isInstance))
        .containsExactly(new RunStateChanged("failed", "f1", false));
  }

  @Test
  void waitsForSupplyAndGoesOnWhenItGrows() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.supply = new SupplyIndex();
    controller.crash();
    controller.command(apply(spec().build()));
    controller.settle();
    assertThat(controller.status().getWaiting())
        .isEqualTo("supply: domain a is behind: batch 1 needs 4 blocks, 0 are ready");
    controller.supply("a", 8, false);
    controller.supply("b", 100, false);
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(2);
  }

  @Test
  void aBrokenLogFailsTheRunAndItsEventsAreIgnored() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    ControlRecord next = controller.proposed.get(0);
    MixtureGrant wrong = (MixtureGrant) next.getBody();
    wrong.setCounts(wrong.getCounts().stream().map(count -> 4).toList());
    controller.proposed.clear();
    controller.log.append(next);
    controller.echoAll();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting())
        .startsWith("control log at offset 11: the plan gives counts");
    int shown = controller.statuses.size();
    controller.crash();
    controller.progress(progress(5));
    controller.command(change("c1", "stopped"));
    controller.pass(10_000);
    assertThat(controller.proposed).isEmpty();
    assertThat(controller.statuses).hasSize(shown);
    assertThat(controller.statuses.get(shown - 1).getGranted()).isEqualTo(10);
  }

  @Test
  void showsStatusOnChangeOnlyAndNotMoreThanFiveTimesASecond() {
    TestingController controller = TestingController.started(spec().build());
    controller.pass(60_000);
    int before = controller.statuses.size();
    controller.pass(60_000);
    assertThat(controller.statuses).hasSize(before);
    for (int batch = 1; batch <= 10; batch++) {
      controller.progress(progress(batch));
      controller.pass(20);
    }
    controller.pass(1_000);
    assertThat(controller.statuses.size() - before).isBetween(2, 3);
    assertThat(controller.statuses.get(controller.statuses.size() - 1).getProgress()).isEqualTo(10);
  }

  @Test
  void restoresAsIfNeverStopped() {
    TestingController straight = TestingController.started(spec().setLag(2).build());
    TestingController crashing = TestingController.started(spec().setLag(2).build());
    for (TestingController controller : List.of(straight, crashing)) {
      controller.feedback(feedback(0, 4, 3));
      for (long step = 10; step <= 50; step += 10) {
        controller.feedback(feedback("s" + step, step, 2, 1, 4 - step * 0.04, 3));
        if (controller == crashing) {
          controller.crash();
        }
        controller.feedback(feedback("s" + step, step, 2, 0, 4, 3 - step * 0.01));
        if (controller == crashing) {
          controller.crash();
        }
        controller.settle();
      }
    }
    assertThat(crashing.log.grants()).hasSize(6).isEqualTo(straight.log.grants());
  }

  @Test
  void aRunIsInTheLogThatItWasAskedForWithAndInNoOther() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(
        new RunCommand(
            "a", TestingRuns.RUN, 0L, new ApplyRun(spec().build(), "x", null, true, false)));
    ControlRecord start = controller.proposed.get(0);
    controller.echo(start, RunLog.SHARED, 3);
    assertThat(controller.status().getIgnoredControl()).isEqualTo(1);
    assertThat(controller.status().getPhase()).isEqualTo("starting");

    controller.echo(start, RunLog.OWN, 0);
    assertThat(controller.status().getPhase()).isEqualTo("running");
    ControlRecord grant = controller.proposed.get(1);
    controller.echo(grant, RunLog.SHARED, 1);
    assertThat(controller.status().getGranted()).isZero();
    controller.crash();
    controller.echo(grant, RunLog.SHARED, 1);
    assertThat(controller.status().getIgnoredControl()).isEqualTo(3);
    controller.echo(grant, RunLog.OWN, 1);
    assertThat(controller.status().getGranted()).isEqualTo(10);
    assertThat(controller.proposedTo).hasSizeGreaterThan(1).containsOnly(RunLog.OWN);
  }

  @Test
  void entriesOfALogAreWrittenForReadersThatKnowNoMoreThanItWasBegunWith() {
    TestingController shared = TestingController.started(spec().build());
    TestingController own = new TestingController(new TestingLog(), "w");
    own.command(TestingRuns.applyOwn(spec().build(), false));
    own.echo(own.proposed.get(0), RunLog.OWN, 0);
    TestingController digests = new TestingController(new TestingLog(), "w");
    digests.command(TestingRuns.applyOwn(spec().build(), true));
    digests.echo(digests.proposed.get(0), RunLog.OWN, 0);
    assertThat(shared.written)
        .hasSizeGreaterThan(1)
        .allSatisfy(value -> assertThat(schema(value)).isEqualTo(2));
    assertThat(own.written)
        .hasSizeGreaterThan(1)
        .allSatisfy(value -> assertThat(schema(value)).isEqualTo(3));
    assertThat(digests.written)
        .hasSizeGreaterThan(1)
        .allSatisfy(value -> assertThat(schema(value)).isEqualTo(4));
  }

  @Test
  void whoKnowsNoRowsIsNotGivenWholeSequencesInTheirPlace() {
    RunSpec rows = spec().setRowLengths(List.of(new RowLength(1L, 64))).build();
    TestingController shared = TestingController.started(rows);
    TestingController own = new TestingController(new TestingLog(), "w");
    own.command(TestingRuns.applyOwn(rows, false));
    assertThat(schema(shared.written.get(0))).isEqualTo(5);
    assertThat(schema(own.written.get(0))).isEqualTo(5);
  }

  /** Which of its type's schemas a record was written with; 0 is the current one. */
  static int schema(byte[] value) {
    long fingerprint = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
    return WireCodec.schemas(ControlRecord.class).stream()
        .map(SchemaNormalization::parsingFingerprint64)
        .toList()
        .indexOf(fingerprint);
  }
}
