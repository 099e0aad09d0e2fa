package io.sluice.jobs.mix.reweight;

import static io.sluice.jobs.mix.reweight.TestingRuns.apply;
import static io.sluice.jobs.mix.reweight.TestingRuns.feedback;
import static io.sluice.jobs.mix.reweight.TestingRuns.progress;
import static io.sluice.jobs.mix.reweight.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The readings of the grant protocol that fail, each tried on the desk that must not have it. */
class ProtocolReadingsTest {
  private final TestingLog log = new TestingLog();

  /** Two instances of one run that have both read the log so far: one of them is a zombie. */
  private List<TestingDesk> two(RunSpec spec) {
    TestingDesk one = new TestingDesk(log, "one");
    one.command(apply(spec));
    one.settle();
    TestingDesk other = new TestingDesk(log, "other");
    other.echoAll();
    other.proposed.clear();
    assertThat(other.status().getGranted()).isEqualTo(one.status().getGranted());
    return List.of(one, other);
  }

  @Test
  void theFirstRecordWithASerialWinsNotTheLatest() {
    List<TestingDesk> desks = two(spec().build());
    decideDifferently(desks);
    desks.get(0).send();
    desks.get(1).send();
    desks.forEach(TestingDesk::echoAll);
    MixtureGrant won = log.grants().get(1);
    assertThat(won.getDecision().getAttempt()).isEqualTo("first");
    for (TestingDesk desk : desks) {
      assertThat(desk.status().getIgnoredControl()).isEqualTo(1);
      assertThat(desk.status().getWeightsVersion()).isEqualTo(2);
    }
  }

  /** Each has heard a complete attempt that the other has not. */
  private static void decideDifferently(List<TestingDesk> desks) {
    desks.forEach(desk -> desk.feedback(feedback(0, 4, 4)));
    desks.get(0).feedback(feedback("first", 10, 1, 0, 3, 4));
    desks.get(1).feedback(feedback("second", 10, 1, 0, 4, 3));
    desks.forEach(desk -> assertThat(desk.proposed).hasSize(1));
  }

  @Test
  void anotherInstancesDecisionReplacesTheOwnPolicyState() {
    List<TestingDesk> desks = two(spec().build());
    decideDifferently(desks);
    desks.get(0).send();
    desks.get(1).send();
    desks.forEach(TestingDesk::echoAll);
    desks.forEach(desk -> desk.feedback(feedback(20, 3.5, 3.5)));
    ControlRecord one = desks.get(0).proposed.get(0);
    ControlRecord other = desks.get(1).proposed.get(0);
    assertThat(other.getBody()).isEqualTo(one.getBody());
    assertThat(((MixtureGrant) one.getBody()).getDecision().getRound()).isEqualTo(2);
  }

  @Test
  void nothingIsProposedUntilTheLastProposalIsReadBack() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, 3, 4));
    desk.feedback(feedback(20, 3, 4));
    desk.progress(progress(10));
    desk.pass(4_000);
    assertThat(desk.proposed).hasSize(1);
    assertThat(desk.status().getGranted()).isEqualTo(10);
    desk.settle();
    assertThat(desk.status().getGranted()).isEqualTo(30);
  }

  @Test
  void aRecordBasedOnALosingOneIsIgnored() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, 3, 4));
    ControlRecord next = desk.proposed.remove(0);
    next.setBasedOn(next.getBasedOn() - 3);
    log.append(next);
    desk.echo(next, 50);
    assertThat(desk.status().getIgnoredControl()).isEqualTo(1);
    assertThat(desk.status().getGranted()).isEqualTo(10);
  }

  @Test
  void aProposalLostInACrashIsMadeAgain() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, 3, 4));
    Object lost = desk.proposed.get(0).getBody();
    desk.crash();
    assertThat(desk.proposed).hasSize(1);
    assertThat(desk.proposed.get(0).getBody()).isEqualTo(lost);
  }

  @Test
  void aProposalThatIsNotReadBackIsSentAgainAndSaysSo() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, 3, 4));
    desk.pass(5_000);
    assertThat(desk.proposed).hasSize(2);
    assertThat(desk.proposed.get(1).getBody()).isEqualTo(desk.proposed.get(0).getBody());
    assertThat(desk.status().getWaiting())
        .isEqualTo("control log: entry 2 was sent 2 times and not read back");
    desk.settle();
    assertThat(desk.status().getIgnoredControl()).isEqualTo(1);
    assertThat(desk.status().getGranted()).isEqualTo(20);
  }

  @Test
  void aTimeOutDecidesNothingByItself() {
    RunSpec spec = spec().setOnTimeout("keep-weights").setTimeoutMillis(60_000).build();
    List<TestingDesk> desks = two(spec);
    TestingDesk waiting = desks.get(0);
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

    TestingDesk hearing = desks.get(1);
    hearing.feedback(feedback(0, 4, 4));
    hearing.feedback(feedback(10, 3, 4));
    hearing.send();
    waiting.send();
    desks.forEach(TestingDesk::echoAll);
    assertThat(waiting.status().getWeightsVersion()).isEqualTo(2);
    assertThat(waiting.status().getGranted()).isEqualTo(20);
  }

  @Test
  void aLoggedTimeOutIsNotDecidedAgainAfterARestore() {
    RunSpec spec = spec().setOnTimeout("keep-weights").setTimeoutMillis(60_000).build();
    TestingDesk desk = TestingDesk.started(spec);
    desk.feedback(feedback(0, 4, 4));
    TestingDesk.Checkpoint before = desk.checkpoint();
    desk.progress(progress(10));
    desk.pass(60_000);
    desk.settle();
    desk.restore(before);
    desk.feedback(feedback(10, 3, 4));
    desk.echoAll();
    desk.feedback(feedback("again", 10, 1, 0, 3, 4));
    assertThat(desk.status().getWeightsVersion()).isEqualTo(1);
    assertThat(desk.status().getGranted()).isEqualTo(20);
    assertThat(desk.status().getLastRefusal())
        .isEqualTo("step 10, rank 0 of 1: feedback step must be after the last closed round's: 10");
  }

  @Test
  void thePlanGoesOnFromTheLogNotFromWhatWasProposed() {
    TestingDesk desk =
        TestingDesk.started(
            spec().setInitialWeights(List.of((1L << 40) / 3, (1L << 40) - (1L << 40) / 3)).build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, 3, 4));
    desk.pass(60_000);
    assertThat(desk.proposed.size()).isGreaterThan(5);
    assertThat(desk.proposed.stream().map(ControlRecord::getBody).distinct()).hasSize(1);
    desk.settle();
    assertThat(desk.status().getPhase()).isEqualTo("running");
    assertThat(desk.status().getGranted()).isEqualTo(20);
  }

  @Test
  void settingsComeFromTheFirstRecordWhateverIsAppliedLater() {
    TestingDesk desk = TestingDesk.started(spec().build());
    TestingDesk plain = TestingDesk.started(spec().build());
    RunSpec other =
        spec().setPolicySettings(Map.of("target-fraction", "0.9", "eta", "100")).build();
    desk.command(apply(other));
    desk.crash();
    desk.command(apply(other));
    for (TestingDesk each : List.of(desk, plain)) {
      each.feedback(feedback(0, 4, 4));
      each.feedback(feedback(10, 3, 4));
      each.settle();
    }
    assertThat(desk.log.grants()).hasSize(2).isEqualTo(plain.log.grants());
  }

  @Test
  void laterPiecesOfARoundStartFromItsDecidedWeights() {
    TestingDesk desk = new TestingDesk(log, "w");
    desk.supply = new SupplyBook();
    desk.crash();
    desk.supply("a", 1_000, false);
    desk.supply("b", 8, true);
    desk.command(apply(spec().setLead(2).build()));
    desk.settle();
    for (long batch = 1; batch <= 8; batch++) {
      desk.progress(progress(batch));
      desk.settle();
    }
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback(10, 3, 4));
    desk.progress(progress(9));
    desk.settle();
    List<MixtureGrant> grants = desk.log.grants();
    MixtureGrant masked = grants.get(grants.size() - 1);
    assertThat(masked.getEffectiveWeights().get(1)).isZero();
    assertThat(masked.getDecision().getWeights().get(1)).isGreaterThan(1L << 39);
  }

  @Test
  void reportsOfTwoAttemptsAreNotMixedAndTheFirstValueCounts() {
    TestingDesk desk = TestingDesk.started(spec().build());
    TestingDesk clean = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    desk.feedback(feedback("dead", 10, 2, 0, 1, 1));
    desk.feedback(feedback("alive", 10, 2, 1, 3, 4));
    desk.feedback(feedback("alive", 10, 2, 1, 9, 9));
    assertThat(desk.proposed).isEmpty();
    desk.feedback(feedback("alive", 10, 2, 0, 3, 4));
    desk.feedback(feedback("dead", 10, 2, 1, 1, 1));
    desk.settle();
    clean.feedback(feedback(0, 4, 4));
    clean.feedback(feedback("alive", 10, 1, 0, 3, 4));
    clean.settle();
    assertThat(desk.log.grants()).hasSize(2).isEqualTo(clean.log.grants());
  }

  @Test
  void anEchoReadBeforeEarlierFeedbackSkipsNoRound() {
    List<TestingDesk> desks = two(spec().build());
    TestingDesk fast = desks.get(0);
    TestingDesk slow = desks.get(1);
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
    assertThat(slow.status().getRefusedFeedback()).isEqualTo(2);
  }

  @Test
  void aFreshInstanceReadsTheWholeLogBeforeItProposes() {
    TestingDesk desk = TestingDesk.started(spec().build());
    desk.feedback(feedback(0, 4, 4));
    for (long step = 10; step <= 50; step += 10) {
      desk.feedback(feedback(step, 3, 4));
      desk.settle();
    }
    TestingDesk fresh = new TestingDesk(desk.log, "fresh");
    fresh.openAt(desk.now + 10_000);
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
