package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.apply;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.supply.SupplyIndex;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The readings of the grant protocol that fail, each tried on the controller that must not have it.
 */
class ProtocolReadingsTest {
  private final TestingLog log = new TestingLog();

  /** Two instances of one run that have both read the log so far: one of them is a zombie. */
  private List<TestingController> two(RunSpec spec) {
    TestingController one = new TestingController(log, "one");
    one.command(apply(spec));
    one.settle();
    TestingController other = new TestingController(log, "other");
    other.echoAll();
    other.proposed.clear();
    assertThat(other.status().getGranted()).isEqualTo(one.status().getGranted());
    return List.of(one, other);
  }

  @Test
  void theFirstRecordWithASerialWinsNotTheLatest() {
    List<TestingController> controllers = two(spec().build());
    decideDifferently(controllers);
    controllers.get(0).send();
    controllers.get(1).send();
    controllers.forEach(TestingController::echoAll);
    MixtureGrant won = log.grants().get(1);
    assertThat(won.getDecision().getAttempt()).isEqualTo("first");
    for (TestingController controller : controllers) {
      assertThat(controller.status().getIgnoredControl()).isEqualTo(1);
      assertThat(controller.status().getWeightsVersion()).isEqualTo(2);
    }
  }

  /** Each has heard a complete attempt that the other has not. */
  private static void decideDifferently(List<TestingController> controllers) {
    controllers.forEach(controller -> controller.feedback(feedback(0, 4, 4)));
    controllers.get(0).feedback(feedback("first", 10, 1, 0, 3, 4));
    controllers.get(1).feedback(feedback("second", 10, 1, 0, 4, 3));
    controllers.forEach(controller -> assertThat(controller.proposed).hasSize(1));
  }

  @Test
  void anotherInstancesDecisionReplacesTheOwnPolicyState() {
    List<TestingController> controllers = two(spec().build());
    decideDifferently(controllers);
    controllers.get(0).send();
    controllers.get(1).send();
    controllers.forEach(TestingController::echoAll);
    controllers.forEach(controller -> controller.feedback(feedback(20, 3.5, 3.5)));
    ControlRecord one = controllers.get(0).proposed.get(0);
    ControlRecord other = controllers.get(1).proposed.get(0);
    assertThat(other.getBody()).isEqualTo(one.getBody());
    assertThat(((MixtureGrant) one.getBody()).getDecision().getRound()).isEqualTo(2);
  }

  @Test
  void nothingIsProposedUntilTheLastProposalIsReadBack() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    controller.feedback(feedback(20, 3, 4));
    controller.progress(progress(10));
    controller.pass(4_000);
    assertThat(controller.proposed).hasSize(1);
    assertThat(controller.status().getGranted()).isEqualTo(10);
    controller.settle();
    assertThat(controller.status().getGranted()).isEqualTo(30);
  }

  @Test
  void aRecordBasedOnALosingOneIsIgnored() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    ControlRecord next = controller.proposed.remove(0);
    next.setBasedOn(next.getBasedOn() - 3);
    log.append(next);
    controller.echo(next, 50);
    assertThat(controller.status().getIgnoredControl()).isEqualTo(1);
    assertThat(controller.status().getGranted()).isEqualTo(10);
  }

  @Test
  void aProposalLostInACrashIsMadeAgain() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    Object lost = controller.proposed.get(0).getBody();
    controller.crash();
    assertThat(controller.proposed).hasSize(1);
    assertThat(controller.proposed.get(0).getBody()).isEqualTo(lost);
  }

  @Test
  void aProposalThatIsNotReadBackIsSentAgainAndSaysSo() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    controller.pass(5_000);
    assertThat(controller.proposed).hasSize(2);
    assertThat(controller.proposed.get(1).getBody())
        .isEqualTo(controller.proposed.get(0).getBody());
    assertThat(controller.status().getWaiting())
        .isEqualTo("control log: entry 2 was sent 2 times and not read back");
    controller.settle();
    assertThat(controller.status().getIgnoredControl()).isEqualTo(1);
    assertThat(controller.status().getGranted()).isEqualTo(20);
  }

  @Test
  void aTimeOutDecidesNothingByItself() {
    RunSpec spec = spec().setOnTimeout("keep-weights").setTimeoutMillis(60_000).build();
    List<TestingController> controllers = two(spec);
    TestingController waiting = controllers.get(0);
    waiting.feedback(feedback(0, 4, 4));
    waiting.pass(120_000);
    assertThat(waiting.proposed).isEmpty();
    waiting.progress(progress(10));
    waiting.pass(59_000);
    assertThat(waiting.proposed).isEmpty();
    waiting.pass(1_000);
    MixtureGrant kept = (MixtureGrant) waiting.proposed.get(0).getBody();
    assertThat(kept.getDecision().getKept()).isTrue();
    assertThat(waiting.status().getGranted()).isEqualTo(10);

    TestingController hearing = controllers.get(1);
    hearing.feedback(feedback(0, 4, 4));
    hearing.feedback(feedback(10, 3, 4));
    hearing.send();
    waiting.send();
    controllers.forEach(TestingController::echoAll);
    assertThat(waiting.status().getWeightsVersion()).isEqualTo(2);
    assertThat(waiting.status().getGranted()).isEqualTo(20);
  }

  @Test
  void aLoggedTimeOutIsNotDecidedAgainAfterARestore() {
    RunSpec spec = spec().setOnTimeout("keep-weights").setTimeoutMillis(60_000).build();
    TestingController controller = TestingController.started(spec);
    controller.feedback(feedback(0, 4, 4));
    TestingController.Checkpoint before = controller.checkpoint();
    controller.progress(progress(10));
    controller.pass(60_000);
    controller.settle();
    controller.restore(before);
    controller.feedback(feedback(10, 3, 4));
    controller.echoAll();
    controller.feedback(feedback("again", 10, 1, 0, 3, 4));
    assertThat(controller.status().getWeightsVersion()).isEqualTo(1);
    assertThat(controller.status().getGranted()).isEqualTo(20);
    assertThat(controller.status().getLastRepeated())
        .isEqualTo("step 10, rank 0 of 1: feedback step must be after the last closed round's: 10");
  }

  @Test
  void thePlanGoesOnFromTheLogNotFromWhatWasProposed() {
    TestingController controller =
        TestingController.started(
            spec().setInitialWeights(List.of((1L << 40) / 3, (1L << 40) - (1L << 40) / 3)).build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    controller.pass(60_000);
    assertThat(controller.proposed.size()).isGreaterThan(5);
    assertThat(controller.proposed.stream().map(ControlRecord::getBody).distinct()).hasSize(1);
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("running");
    assertThat(controller.status().getGranted()).isEqualTo(20);
  }

  @Test
  void settingsComeFromTheFirstRecordWhateverIsAppliedLater() {
    TestingController controller = TestingController.started(spec().build());
    TestingController plain = TestingController.started(spec().build());
    RunSpec other =
        spec().setPolicySettings(Map.of("target-fraction", "0.9", "eta", "100")).build();
    controller.command(apply(other));
    controller.crash();
    controller.command(apply(other));
    for (TestingController each : List.of(controller, plain)) {
      each.feedback(feedback(0, 4, 4));
      each.feedback(feedback(10, 3, 4));
      each.settle();
    }
    assertThat(controller.log.grants()).hasSize(2).isEqualTo(plain.log.grants());
  }

  @Test
  void laterPiecesOfARoundStartFromItsDecidedWeights() {
    TestingController controller = new TestingController(log, "w");
    controller.supply = new SupplyIndex();
    controller.crash();
    controller.supply("a", 1_000, false);
    controller.supply("b", 8, true);
    controller.command(apply(spec().setLead(2).build()));
    controller.settle();
    for (long batch = 1; batch <= 8; batch++) {
      controller.progress(progress(batch));
      controller.settle();
    }
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    controller.progress(progress(9));
    controller.settle();
    List<MixtureGrant> grants = controller.log.grants();
    MixtureGrant masked = grants.get(grants.size() - 1);
    assertThat(masked.getEffectiveWeights().get(1)).isZero();
    assertThat(masked.getDecision().getWeights().get(1)).isGreaterThan(1L << 39);
  }

  @Test
  void reportsOfTwoAttemptsAreNotMixedAndTheFirstValueCounts() {
    TestingController controller = TestingController.started(spec().build());
    TestingController clean = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback("dead", 10, 2, 0, 1, 1));
    controller.feedback(feedback("alive", 10, 2, 1, 3, 4));
    controller.feedback(feedback("alive", 10, 2, 1, 9, 9));
    assertThat(controller.proposed).isEmpty();
    controller.feedback(feedback("alive", 10, 2, 0, 3, 4));
    controller.feedback(feedback("dead", 10, 2, 1, 1, 1));
    controller.settle();
    clean.feedback(feedback(0, 4, 4));
    clean.feedback(feedback("alive", 10, 1, 0, 3, 4));
    clean.settle();
    assertThat(controller.log.grants()).hasSize(2).isEqualTo(clean.log.grants());
  }

  @Test
  void anEchoReadBeforeEarlierFeedbackSkipsNoRound() {
    List<TestingController> controllers = two(spec().build());
    TestingController fast = controllers.get(0);
    TestingController slow = controllers.get(1);
    fast.feedback(feedback(0, 4, 4));
    fast.feedback(feedback(10, 3, 4));
    fast.settle();
    slow.feedback(feedback(20, 2.5, 4));
    slow.echoAll();
    slow.feedback(feedback(0, 4, 4));
    slow.feedback(feedback(10, 3, 4));
    MixtureGrant second = (MixtureGrant) slow.proposed.get(0).getBody();
    assertThat(second.getDecision().getRound()).isEqualTo(2);
    assertThat(second.getDecision().getAttempt()).isEqualTo("attempt-20");
    assertThat(slow.status().getRepeatedFeedback()).isEqualTo(2);
    assertThat(slow.status().getRefusedFeedback()).isZero();
  }

  @Test
  void aFreshInstanceReadsTheWholeLogBeforeItProposes() {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    for (long step = 10; step <= 50; step += 10) {
      controller.feedback(feedback(step, 3, 4));
      controller.settle();
    }
    TestingController fresh = new TestingController(controller.log, "fresh");
    fresh.openAt(controller.now + 10_000);
    fresh.command(apply(spec().build()));
    fresh.feedback(feedback(0, 4, 4));
    for (long step = 10; step <= 60; step += 10) {
      fresh.feedback(feedback(step, 3, 4));
    }
    fresh.echoAll();
    assertThat(fresh.proposed).isEmpty();
    fresh.pass(1_000);
    assertThat(fresh.proposed).hasSize(1);
    assertThat(((MixtureGrant) fresh.proposed.get(0).getBody()).getAfter()).isEqualTo(60);
  }
}
