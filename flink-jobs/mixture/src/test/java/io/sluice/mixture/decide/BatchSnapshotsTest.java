package io.sluice.mixture.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.decide.BatchSnapshots.Past;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunProgress;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.RunStateCodec;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.round.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchSnapshotsTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 3})
  void cutsGrantsWhereverABatchEnds(long lag) {
    TestingRun run = trained(lag, 40);
    BatchSnapshots fold = fold(run);
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lag = lag;
    settings.lead = 1;
    TestingRun slow = new TestingRun(settings.build());
    List<Snapshot> seen = new ArrayList<>();
    for (long batch = 0; batch <= 40; batch++) {
      slow.at(batch);
      if (batch % 10 == 0) {
        slow.report(batch, 4 - batch / 40.0, 4);
      }
      seen.add(slow.state.snapshot());
      slow.settle();
    }
    for (int batch = 1; batch <= 40; batch++) {
      Snapshot past = fold.asOf(batch).snapshot();
      assertThat(past.planError()).isEqualTo(seen.get(batch).planError());
      assertThat(past.ordinals()).isEqualTo(seen.get(batch).ordinals());
      assertThat(past.nextSequence()).isEqualTo(seen.get(batch).nextSequence());
      assertThat(past.round()).isEqualTo(batch / 10);
    }
    assertThat(fold.asOf(run.state.position().granted()).snapshot().planError())
        .isEqualTo(run.state.plan().error());
  }

  @Test
  void rewindsToWhatTheRunWas() {
    TestingRun run = trained(0, 40);
    byte[] statedAt20 = run.grants().get(2).decision().orElseThrow().policyState();
    Past past = fold(run).rewound(25, 25);
    run.reports.clear();
    run.commands.add(rewind("c1", 0, past, 25));
    run.settle();
    assertThat(run.state.position().timeline()).isEqualTo(1);
    assertThat(run.state.round()).isEqualTo(2);
    assertThat(run.state.policyState()).isEqualTo(statedAt20);
    Grant again = run.grants().get(run.grants().size() - 1);
    assertThat(again.after()).isEqualTo(25);
    assertThat(again.to()).isEqualTo(30);
    assertThat(again.countsOf(26)).isEqualTo(run.grants().get(2).countsOf(26));
    assertThat(run.state.lineage().owner(25)).isZero();
    assertThat(run.state.lineage().owner(26)).isEqualTo(1);
    assertThat(report(0, 30).refusal(run.state, run.policies.of(run.state.settings())))
        .contains("feedback timeline must be 1: 0");
    assertThat(report(1, 30).refusal(run.state, run.policies.of(run.state.settings()))).isEmpty();
  }

  @Test
  void closesARoundOfTheOldTimelineAfterTheRewind() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lag = 4;
    TestingRun run = new TestingRun(settings.build());
    run.report(0, 4, 4);
    run.settle();
    run.commands.add(rewind("c1", 0, fold(run).asOf(12), 12));
    run.settle();
    assertThat(run.state.position().granted()).isEqualTo(14);
    assertThat(report(1, 10).refusal(run.state, run.policies.of(run.state.settings())))
        .contains("feedback timeline must be 0: 1");
    run.report(report(0, 10));
    run.settle();
    assertThat(run.state.round()).isEqualTo(1);
    assertThat(run.state.position().granted()).isEqualTo(24);
  }

  @Test
  void letsARoundStandThatWasToGovernLater() {
    TestingRun run = trained(5, 20);
    Past past = fold(run).asOf(12);
    assertThat(past.snapshot().round()).isEqualTo(1);
    assertThat(past.snapshot().decided())
        .isEqualTo(run.grants().get(1).decision().orElseThrow().weights());
    assertThat(past.snapshot().weightsVersion()).isEqualTo(2);
    assertThat(fold(run).asOf(9).snapshot().weightsVersion()).isEqualTo(1);
  }

  @Test
  void startsAPolicyAnewWhoseFirstStepNobodyWillMeasureAgain() {
    TestingRun run = trained(0, 30);
    Past past = fold(run).rewound(5, 5);
    assertThat(past.snapshot().baseRound()).isEqualTo(1);
    assertThat(past.snapshot().round()).isEqualTo(1);
    assertThat(fold(run).rewound(0, 0).snapshot().baseRound()).isEqualTo(1);
  }

  @Test
  void countsARoundAsClosedWhoseReportsAreGone() {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lag = 4;
    TestingRun run = new TestingRun(settings.build());
    for (long step = 0; step <= 10; step += 10) {
      run.report(step, 4, 4);
      run.settle();
    }
    run.at(20);
    run.commands.add(new Command.Drain("c1", 1, "an upgrade"));
    run.settle();
    run.report(20, 3, 4);
    run.settle();
    assertThat(run.state.round()).isEqualTo(2);
    Past past = fold(run).rewound(21, 21);
    assertThat(past.snapshot().round()).isEqualTo(2);
    assertThat(past.snapshot().decided())
        .isEqualTo(run.grants().get(1).decision().orElseThrow().weights());
    run.commands.add(rewind("c2", 0, past, 21));
    run.settle();
    assertThat(run.state.position().timeline()).isEqualTo(1);
    assertThat(run.state.position().granted()).isEqualTo(34);
  }

  @Test
  void refusesASnapshotThatOpensARoundWhoseReportsAreGone() {
    TestingRun run = trained(0, 20);
    Past past = fold(run).rewound(30, 30);
    run.at(30);
    run.report(30, 3, 4);
    run.settle();
    assertRefused(
        run,
        rewind("c1", 0, past, 30),
        "the snapshot is older than the log, take another: rounds are closed up to 3: 2");
    run.commands.add(rewind("c2", 0, fold(run).rewound(30, 30), 30));
    run.settle();
    assertThat(run.state.round()).isEqualTo(3);
    assertThat(run.state.position().timeline()).isEqualTo(1);
  }

  @Test
  void passesOverTheDataOfSkippedBatches() {
    TestingRun run = trained(0, 40);
    BatchSnapshots fold = fold(run);
    Past past = fold.rewound(12, 31);
    assertThat(past.snapshot().planError()).isEqualTo(fold.asOf(12).snapshot().planError());
    assertThat(past.snapshot().ordinals()).isEqualTo(fold.asOf(31).snapshot().ordinals());
    run.reports.clear();
    run.commands.add(rewind("c1", 0, past, 31));
    run.settle();
    assertThat(run.state.nextSequence()).isLessThan(run.state.ordinals()[0] * 2);
    assertThat(run.state.position().granted()).isEqualTo(20);
  }

  @Test
  void followsTheLineageThroughRewindsOfRewinds() {
    TestingRun run = trained(0, 40);
    run.commands.add(rewind("c1", 0, fold(run).rewound(25, 25), 25));
    run.settle();
    run.commands.add(rewind("c2", 1, fold(run).rewound(28, 28), 28));
    run.settle();
    run.commands.add(rewind("c3", 2, fold(run).rewound(14, 14), 14));
    run.settle();
    assertThat(run.state.lineage().openings())
        .containsExactly(new Lineage.Opening(0, -1), new Lineage.Opening(3, 14));
    Past past = fold(run).asOf(12);
    assertThat(past.timeline()).isZero();
    assertThat(past.snapshot().round()).isEqualTo(1);
    assertThat(fold(run).asOf(15).timeline()).isEqualTo(3);
    RunState restored =
        RunStateCodec.decode(
            run.state.planVersion(), run.state.settings(), RunStateCodec.encode(run.state));
    assertThat(restored.lineage()).isEqualTo(run.state.lineage());
    assertThat(RunStateCodec.encode(restored)).isEqualTo(RunStateCodec.encode(run.state));
  }

  @Test
  void staysPausedThroughARewind() {
    TestingRun run = trained(0, 20);
    run.commands.add(new Command.ChangePhase("p", RunPhase.PAUSED, "look"));
    run.commands.add(rewind("c1", 0, fold(run).rewound(12, 12), 12));
    assertThat(run.settle()).isEqualTo(new Outcome.Wait("paused: waits for `resume`", false));
    assertThat(run.state.position().timeline()).isEqualTo(1);
    assertThat(run.state.position().granted()).isEqualTo(12);
  }

  @Test
  void refusesARewindThatIsNotOfThisRunAsItIs() {
    TestingRun run = trained(0, 20);
    Past past = fold(run).rewound(12, 12);
    assertRefused(run, rewind("r1", 1, past, 12), "timeline must be the current one, 0: 1");
    assertRefused(run, rewind("r2", 0, past, 31), "skipped batches must end in [12, 30]: 31");
    RunProgress wrong = new RunProgress(MixturePlan.VERSION, past.snapshot());
    wrong.batch = 31;
    assertRefused(run, rewind("r3", 0, past(past, wrong), 31), "batch must be in [0, 30]: 31");
    wrong = new RunProgress(MixturePlan.VERSION, past.snapshot());
    wrong.round = 2;
    assertRefused(
        run,
        rewind("r4", 0, past(past, wrong), 12),
        "rounds that stand must be of steps up to 12, every 10: 2");
    wrong = new RunProgress(MixturePlan.VERSION, past.snapshot());
    wrong.ordinals[1] = 10_000;
    assertRefused(
        run,
        rewind("r5", 0, past(past, wrong), 12),
        "ordinals of domain 1 must be at most " + run.state.ordinals()[1] + ": 10000");
    assertThat(run.state.position().timeline()).isZero();
  }

  @Test
  void refusesBatchesThatAreNotGranted() {
    TestingRun run = trained(0, 20);
    BatchSnapshots fold = fold(run);
    assertThatThrownBy(() -> fold.asOf(31)).hasMessage("batch must be in [0, 30]: 31");
    assertThatThrownBy(() -> fold.rewound(12, 11))
        .hasMessage("skipped batches must be after batch 12: up to 11");
  }

  @Test
  void forksARunThatGoesOnByItself() {
    TestingRun run = trained(0, 40);
    RunSettings own = TestingRun.velocitune().build();
    Past past = fold(run).forked(25, own);
    ControlEntry start = GrantPlanner.start("fork-1", own, past.snapshot(), "forked");
    TestingRun fork = new TestingRun(start);
    fork.settle();
    assertThat(fork.state.position().granted()).isEqualTo(30);
    assertThat(fork.state.round()).isEqualTo(2);
    assertThat(fork.state.policyState()).isEqualTo(past.snapshot().policyState());
    assertThat(fork.grants().get(0).after()).isEqualTo(25);
    assertThat(fork.grants().get(0).firstSequence()).isEqualTo(past.snapshot().nextSequence());
    assertThatThrownBy(() -> BatchSnapshotsTest.fold(fork).asOf(24))
        .hasMessage("batch must be in [25, 30]: 24");
  }

  @Test
  void startsAnotherPolicyOfAForkAsASwitchDoes() {
    TestingRun run = trained(0, 40);
    TestingRun.Settings other = TestingRun.velocitune();
    other.every = 7;
    Snapshot snapshot = fold(run).forked(25, other.build()).snapshot();
    assertThat(snapshot.baseRound()).isEqualTo(4);
    assertThat(snapshot.decided()).isEqualTo(fold(run).asOf(25).snapshot().decided());
  }

  @Test
  void startsAPolicyOfAForkAnewWhoseFirstStepTheRunMeasured() {
    TestingRun run = trained(0, 20);
    TestingRun.Settings later = TestingRun.velocitune();
    later.lag = 1;
    RunSettings settings = later.build();
    run.commands.add(new Command.Revise("c1", settings, new TreeMap<>(), List.of(), "later"));
    run.settle();
    assertThat(fold(run).asOf(40).snapshot().baseRound()).isEqualTo(4);
    assertThat(fold(run).forked(40, settings).snapshot().baseRound()).isEqualTo(5);
    assertThat(fold(run).forked(0, TestingRun.velocitune().build()).snapshot().baseRound())
        .isZero();
  }

  private static TestingRun trained(long lag, long steps) {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.lag = lag;
    TestingRun run = new TestingRun(settings.build());
    for (long step = 0; step <= steps; step += 10) {
      run.settle();
      run.at(step);
      run.report(step, 4 - step / 40.0, 4);
    }
    run.settle();
    return run;
  }

  private static BatchSnapshots fold(TestingRun run) {
    BatchSnapshots fold = new BatchSnapshots(run.log.get(0), 10);
    for (int i = 1; i < run.log.size(); i++) {
      assertThat(fold.apply(run.log.get(i), 10 + 3L * i)).isTrue();
    }
    return fold;
  }

  private static Command.Rewind rewind(String id, int timeline, Past past, long skippedTo) {
    return new Command.Rewind(
        id, timeline, past.settings(), past.snapshot(), skippedTo, "loss spike");
  }

  private static Past past(Past of, RunProgress progress) {
    return new Past(of.settings(), of.settingsSerial(), of.timeline(), progress.snapshot());
  }

  private static Report report(int timeline, long step) {
    return new Report(
        timeline, step, "again", 1, 0, "eval_loss", new double[] {300, 150}, new long[] {100, 50});
  }

  private static void assertRefused(TestingRun run, Command command, String reason) {
    run.commands.add(command);
    run.settle();
    ControlEntry last = run.log.get(run.log.size() - 1);
    assertThat(last.body()).isEqualTo(new Refused(RunPhase.RUNNING, command.commandId()));
    assertThat(last.why()).isEqualTo("refused: " + reason);
  }

  @Test
  void keepsWhatAHandSetAtTheBatchItself() {
    TestingRun run = trained(0, 20);
    pin(run, "c1", .125);
    run.report(30, 3, 4);
    run.settle();
    assertThat(fold(run).asOf(30).snapshot().pinned()).isTrue();
    assertThat(fold(run).asOf(29).snapshot().pinned()).isFalse();
    run.commands.add(rewind("c2", 0, fold(run).rewound(30, 30), 30));
    run.settle();
    assertThat(run.state.position().timeline()).isEqualTo(1);
    assertThat(run.state.decided().shares()).containsExactly(.125, .875);
    run.commands.add(rewind("c3", 1, fold(run).rewound(29, 29), 29));
    run.settle();
    assertThat(run.state.position().timeline()).isEqualTo(2);
    assertThat(run.state.pinned()).isFalse();
  }

  @Test
  void refusesASnapshotThatWouldUndoWhatAHandSetAtItsBatchSince() {
    TestingRun run = trained(0, 20);
    Past before = fold(run).rewound(30, 30);
    pin(run, "c1", .125);
    assertRefused(run, rewind("c2", 0, before, 30), older(30, 4, 3));
    run.report(30, 3, 4);
    run.settle();
    pin(run, "c3", .25);
    assertThat(run.state.position().granted()).isEqualTo(40);
    assertRefused(run, rewind("c4", 0, before, 30), older(30, 4, 3));
    RunState restored =
        RunStateCodec.decode(
            run.state.planVersion(), run.state.settings(), RunStateCodec.encode(run.state));
    assertThat(restored.revisedVersion(35)).isEqualTo(4);
    assertThat(restored.revisedVersion(29)).isEqualTo(1);
  }

  @Test
  void forgetsRevisionsThatWereRewound() {
    TestingRun run = trained(0, 20);
    Past before = fold(run).rewound(30, 30);
    pin(run, "c1", .125);
    run.commands.add(rewind("c2", 0, fold(run).rewound(29, 29), 29));
    run.settle();
    run.commands.add(rewind("c3", 1, fold(run).rewound(30, 30), 30));
    run.settle();
    assertThat(run.state.position().timeline()).isEqualTo(2);
    assertThat(run.state.snapshot().weightsVersion()).isEqualTo(before.snapshot().weightsVersion());
  }

  private static void pin(TestingRun run, String id, double share) {
    TreeMap<String, Double> shares = new TreeMap<>();
    shares.put("a", share);
    run.commands.add(new Command.SetWeights(id, shares, Optional.of(true), "by hand"));
    run.settle();
  }

  private static String older(long batch, int version, int known) {
    return "the snapshot is older than the log, take another: the run was revised up to batch "
        + batch
        + ", its mixture version must be at least "
        + version
        + ": "
        + known;
  }
}
