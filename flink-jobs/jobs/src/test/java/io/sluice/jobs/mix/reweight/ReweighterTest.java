package io.sluice.jobs.mix.reweight;

import static io.sluice.control.controller.TestingRuns.RUN;
import static io.sluice.control.controller.TestingRuns.apply;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static io.sluice.control.controller.TestingRuns.supply;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.controller.TestingController;
import io.sluice.control.controller.TestingLog;
import io.sluice.jobs.mix.reweight.MixEvent.Kind;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import io.sluice.schema.run.Delivery;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReweighterTest {
  private static final String OTHER = "other-9f";

  private static final long HOUR = 3_600_000;

  private TestingReweighter operator;

  @BeforeEach
  void open() throws Exception {
    operator = new TestingReweighter(new TestingLog(), "one");
  }

  @AfterEach
  void close() throws Exception {
    operator.close();
  }

  private void start(String runId, RunSpec spec) throws Exception {
    operator.supply(supply("a", 1_000, false));
    operator.supply(supply("b", 1_000, false));
    operator.event(Kind.COMMAND, runId, apply(runId, spec));
    operator.settle();
  }

  private void hear(TrainerFeedback feedback) throws Exception {
    operator.event(Kind.FEEDBACK, feedback.getRunId(), feedback);
  }

  private RunStatus statusAt(String runId, long now) throws Exception {
    operator.time(now);
    return operator.status(runId);
  }

  @Test
  void turnsFeedbackIntoGrantsThatBeginRightAfterItsStep() throws Exception {
    start(RUN, spec().build());
    hear(feedback(0, 4, 4));
    for (long step = 10; step <= 30; step += 10) {
      operator.event(Kind.FEEDBACK, RUN, progress(step));
      hear(feedback(step, 4 - step * 0.05, 4));
      operator.settle();
      MixtureGrant last = operator.log.grants().get((int) (step / 10));
      assertThat(last.getDecision().getStep()).isEqualTo(step);
      assertThat(last.getAfter() + 1).isEqualTo(step + 1);
      assertThat(last.getTo()).isEqualTo(step + 10);
    }
    RunStatus status = statusAt(RUN, 1_000);
    assertThat(status.getGranted()).isEqualTo(40);
    assertThat(status.getProgress()).isEqualTo(30);
    assertThat(status.getWeightsVersion()).isEqualTo(4);
    assertThat(operator.log.all()).allMatch(record -> record.getWriter().equals("one"));
  }

  @Test
  void restoresAsIfNeverStopped() throws Exception {
    long now = 0;
    start(RUN, spec().setLag(2).build());
    hear(feedback(0, 4, 3));
    for (long step = 10; step <= 50; step += 10) {
      hear(feedback("s" + step, step, 2, 1, 4 - step * 0.04, 3));
      now += 10_000;
      operator = operator.restarted("after-" + step, now);
      hear(feedback("s" + step, step, 2, 0, 4, 3 - step * 0.01));
      now += 10_000;
      operator = operator.restarted("again-" + step, now);
      assertThat(operator.proposed()).isEmpty();
      now += 250;
      operator.time(now);
      operator.settle();
    }
    TestingController straight = TestingController.started(spec().setLag(2).build());
    straight.feedback(feedback(0, 4, 3));
    for (long step = 10; step <= 50; step += 10) {
      straight.feedback(feedback("s" + step, step, 2, 1, 4 - step * 0.04, 3));
      straight.feedback(feedback("s" + step, step, 2, 0, 4, 3 - step * 0.01));
      straight.settle();
    }
    assertThat(operator.log.grants()).hasSize(6).isEqualTo(straight.log.grants());
  }

  @Test
  void aRestoredInstanceWakesByItselfAndProposesWhatWasLost() throws Exception {
    start(RUN, spec().build());
    hear(feedback(0, 4, 4));
    hear(feedback(10, 3, 4));
    ControlRecord lost = operator.proposed().get(0);
    operator = operator.restarted("two", 60_000);
    operator.time(61_000);
    assertThat(operator.proposed()).hasSize(1);
    assertThat(operator.proposed().get(0).getBody()).isEqualTo(lost.getBody());
    assertThat(operator.proposed().get(0).getWriter()).isEqualTo("two");
  }

  @Test
  void keepsSupplyAndWakesTheRunsThatWaitForIt() throws Exception {
    operator.event(Kind.COMMAND, RUN, apply(spec().build()));
    operator.settle();
    operator.supply(supply("a", 100, false));
    assertThat(operator.proposed()).isEmpty();
    operator.supply(Supply.newBuilder(supply("b", 100, false)).setDataset("papers").build());
    assertThat(operator.proposed()).isEmpty();
    operator = operator.restarted("two", 10_000);
    operator.time(11_000);
    operator.supply(supply("b", 100, false));
    assertThat(operator.proposed()).hasSize(1);
    operator.settle();
    assertThat(statusAt(RUN, 12_000).getGranted()).isEqualTo(10);
  }

  @Test
  void keepsWhatIsSealedAndGrantsDerivedRunsNoMore() throws Exception {
    operator.event(Kind.COMMAND, RUN, apply(spec().setDelivery(Delivery.DERIVED).build()));
    operator.settle();
    operator.supply(supply("a", 100, false));
    operator.supply(supply("b", 100, false));
    operator.supply(segment("a", 12));
    operator.supply(segment("b", 100));
    operator = operator.restarted("two", 10_000);
    operator.time(11_000);
    operator.settle();
    long granted = statusAt(RUN, 12_000).getGranted();
    assertThat(granted).isPositive().isLessThan(10);
    assertThat(operator.status(RUN).getWaiting())
        .startsWith("supply: batch " + (granted + 1) + " waits for blocks of domain a to be sealed")
        .endsWith(", and 12 of 100 are");
    operator.supply(segment("a", 100));
    operator.time(13_100);
    operator.settle();
    assertThat(statusAt(RUN, 14_000).getGranted()).isEqualTo(10);
  }

  @Test
  void refusesSegmentsOfAnotherDatasetThanTheTopics() throws Exception {
    MixEvent of = segment("a", 12);
    of.topic = "sluice.segments.other";
    operator.supply(of);
    assertThat(operator.deadLetters().get(0).getReason())
        .isEqualTo("topic sluice.segments.other must not hold segments of dataset 'books'");
  }

  private static MixEvent segment(String domain, int rows) {
    StoredPart part = new StoredPart("books/0.rows", 0L, 1L, "");
    Supply of = supply(domain, rows, false);
    Segment segment =
        Segment.newBuilder()
            .setDataset(of.getDataset())
            .setFingerprint(of.getFingerprint())
            .setDomain(domain)
            .setLane(0)
            .setFirst(0)
            .setRows(rows)
            .setEnded(false)
            .setData(part)
            .setSide(part)
            .setTimeMillis(0)
            .build();
    String topic = "sluice.segments." + of.getDataset();
    return MixEvent.of(
        Kind.SEGMENT, "", TestingReweighter.record(topic, 0, WireCodec.encode(segment)));
  }

  @Test
  void aBrokenRunFailsAloneAndSaysWhy() throws Exception {
    start(RUN, spec().build());
    operator.event(Kind.COMMAND, OTHER, apply(OTHER, spec().setRun("other").build()));
    operator.settle();
    hear(feedback(0, 4, 4));
    hear(feedback(10, 3, 4));
    ControlRecord wrong = operator.proposed().get(0);
    MixtureGrant grant = (MixtureGrant) wrong.getBody();
    grant.setAfter(grant.getAfter() + 1);
    grant.setTo(grant.getTo() + 1);
    operator.log.append(wrong);
    operator.settle();
    assertThat(statusAt(RUN, 1_000).getPhase()).isEqualTo("failed");
    assertThat(operator.status(RUN).getWaiting())
        .contains("entry 2 does not continue after serial 1")
        .contains("GRANTED from 11 to 21");
    operator.event(Kind.FEEDBACK, RUN, progress(7));
    operator.event(Kind.FEEDBACK, OTHER, of(OTHER, feedback(0, 4, 4)));
    operator.event(Kind.FEEDBACK, OTHER, of(OTHER, feedback(10, 3, 4)));
    operator.settle();
    assertThat(statusAt(OTHER, 2_000).getGranted()).isEqualTo(20);
    assertThat(operator.status(RUN).getProgress()).isZero();
  }

  private static TrainerFeedback of(String runId, TrainerFeedback feedback) {
    return TrainerFeedback.newBuilder(feedback).setRunId(runId).build();
  }

  @Test
  void badFeedbackIsShownAndMovesNoWeight() throws Exception {
    start(RUN, spec().build());
    hear(feedback(0, 4, 4));
    hear(feedback(0, 1, 1));
    RunStatus replayed = statusAt(RUN, 1_000);
    assertThat(replayed.getLastRepeated()).contains("the step is decided");
    assertThat(replayed.getLastRefusal()).isEmpty();
    assertThat(replayed.getRefusedFeedback()).isZero();
    hear(feedback(10, Double.POSITIVE_INFINITY, 4));
    assertThat(statusAt(RUN, 2_000).getLastRefusal()).contains("must be finite: Infinity");
    operator.event(
        MixEvent.undecodable(
            RUN, TestingReweighter.record("feedback.velo", 9, new byte[70_000]), "cut off"));
    operator.settle();
    RunStatus status = statusAt(RUN, 3_000);
    assertThat(status.getRefusedFeedback()).isEqualTo(2);
    assertThat(status.getRepeatedFeedback()).isEqualTo(1);
    assertThat(status.getLastRefusal()).isEqualTo("feedback.velo at 9: cut off");
    assertThat(status.getWeightsVersion()).isEqualTo(1);
    assertThat(operator.deadLetters()).hasSize(1);
    DeadLetter letter = operator.deadLetters().get(0);
    assertThat(letter.getComponent()).isEqualTo("mix");
    assertThat(letter.getOrigin()).isEqualTo("feedback.velo");
    assertThat(letter.getPartition()).isEqualTo(2);
    assertThat(letter.getPosition()).isEqualTo(9);
    assertThat(letter.getReason()).isEqualTo("cut off");
    assertThat(letter.getPayload().remaining()).isEqualTo(64 << 10);
    hear(feedback(10, 3, 4));
    operator.settle();
    TestingController clean = TestingController.started(spec().build());
    clean.feedback(feedback(0, 4, 4));
    clean.feedback(feedback(10, 3, 4));
    clean.settle();
    assertThat(operator.log.grants()).hasSize(2).isEqualTo(clean.log.grants());
  }

  @Test
  void feedbackOfARunThatNobodyStartsLeavesTheState() throws Exception {
    TrainerFeedback early = feedback(0, 4, 4);
    early.setRunId(OTHER);
    operator.event(Kind.FEEDBACK, OTHER, early);
    operator.time(700_000);
    start(OTHER, spec().setRun("other").build());
    assertThat(statusAt(OTHER, 701_000).getWaiting()).contains("step 0 (heard none;");
  }

  @Test
  void whatAKeyBringsToTheWrongRunHurtsNobody() throws Exception {
    start(RUN, spec().build());
    operator.event(Kind.COMMAND, OTHER, apply(OTHER, spec().setRun("other").build()));
    operator.settle();
    hear(feedback(0, 4, 4));
    operator.event(Kind.FEEDBACK, OTHER, feedback(10, 1, 1));
    operator.event(
        MixEvent.of(Kind.FEEDBACK, OTHER, TestingReweighter.record("feedback", 5, new byte[3])));
    operator.event(Kind.FEEDBACK, OTHER, supply("a", 1, true));
    hear(feedback(10, 3, 4));
    operator.settle();
    assertThat(operator.deadLetters())
        .extracting(DeadLetter::getReason)
        .satisfiesExactly(
            reason ->
                assertThat(reason).isEqualTo("runId must be the key 'other-9f': '" + RUN + "'"),
            reason -> assertThat(reason).startsWith("not Avro single-object encoding: 3 bytes"),
            reason -> assertThat(reason).isEqualTo("topic topic must not hold a Supply"));
    assertThat(statusAt(RUN, 1_000).getGranted()).isEqualTo(20);
    assertThat(operator.status(OTHER).getGranted()).isEqualTo(10);
    assertThat(operator.status(OTHER).getRefusedFeedback()).isEqualTo(3);
  }

  @Test
  void aRunGoesOnThoughTheWallClockWasSetAheadAndBack() throws Exception {
    start(RUN, spec().build());
    operator.time(10_000);
    operator.wallClock(HOUR);
    hear(feedback(0, 4, 4));
    operator.event(Kind.FEEDBACK, RUN, progress(10));
    hear(feedback(10, 3, 4));
    assertThat(operator.proposed()).as("one that nobody sends").hasSize(1);
    operator.wallClock(0);
    operator.time(20_000);
    operator.event(Kind.FEEDBACK, RUN, progress(10));
    assertThat(operator.proposed()).as("it is proposed again").hasSizeGreaterThan(1);
    operator.settle();
    assertThat(statusAt(RUN, 21_000).getGranted()).isEqualTo(20);
  }

  @Test
  void aWallClockThatIsSetAheadEndsNoWaitForFeedback() throws Exception {
    start(RUN, spec().setOnTimeout("keep-weights").setTimeoutMillis(60_000).build());
    hear(feedback(0, 4, 4));
    operator.event(Kind.FEEDBACK, RUN, progress(10));
    operator.time(10_000);
    operator.settle();
    operator.wallClock(HOUR);
    operator.time(11_000);
    assertThat(operator.proposed()).isEmpty();
    operator.time(90_000);
    operator.settle();
    assertThat(statusAt(RUN, 91_000).getGranted()).isEqualTo(20);
  }

  @Test
  void refusesSupplyThatCannotBeUsed() throws Exception {
    operator.supply(supply("a", -5, false));
    operator.supply(
        MixEvent.undecodable(
            "", TestingReweighter.record("supply.books", 4, new byte[1]), "cut off"));
    assertThat(operator.deadLetters())
        .extracting(DeadLetter::getReason)
        .containsExactly("blocks must be at least 0: -5", "cut off");
  }

  @Test
  void anUnreadableRecordOfNobodyIsADeadLetterOnly() throws Exception {
    operator.event(
        MixEvent.undecodable("", TestingReweighter.record("runs", 1, new byte[0]), "cut off"));
    operator.event(
        MixEvent.undecodable(
            "nobody", TestingReweighter.record("runs", 2, new byte[0]), "cut off"));
    assertThat(operator.deadLetters())
        .extracting(DeadLetter::getPosition)
        .isEqualTo(List.of(1L, 2L));
    assertThat(operator.proposed()).isEmpty();
  }

  @Test
  void anEndedRunLeavesTheMemoryAndComesBackWhenSomebodySpeaksOfIt() throws Exception {
    start(RUN, spec().build());
    start(OTHER, spec().setRun("other").build());
    operator.event(Kind.COMMAND, OTHER, change(OTHER, "stopped"));
    operator.settle();
    assertThat(statusAt(OTHER, 1_000).getPhase()).isEqualTo("stopped");
    operator.time(Reweighter.KEPT_MILLIS);
    operator.event(
        Kind.FEEDBACK, OTHER, TrainerProgress.newBuilder(progress(3)).setRunId(OTHER).build());
    operator.time(Reweighter.KEPT_MILLIS + 2_000);
    assertThat(operator.runsInMemory()).as("a trainer still speaks of it").isEqualTo(2);
    operator.time(2 * Reweighter.KEPT_MILLIS + 2_000);
    assertThat(operator.runsInMemory()).isEqualTo(1);

    operator.event(Kind.COMMAND, OTHER, change(OTHER, "deleted"));
    operator.time(2 * Reweighter.KEPT_MILLIS + 3_000);
    operator.settle();
    RunStatus status = statusAt(OTHER, 2 * Reweighter.KEPT_MILLIS + 4_000);
    assertThat(status.getPhase()).isEqualTo("deleted");
    assertThat(status.getProgress()).isEqualTo(3);
  }

  private static RunCommand change(String runId, String state) {
    return new RunCommand(state, runId, 0L, new ChangeRunState(state, "somebody asked"));
  }
}
